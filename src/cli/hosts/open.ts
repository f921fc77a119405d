import type { Io } from '../io.ts';
import { openGithub } from './github.ts';
import { openGitlab } from './gitlab.ts';
import type { Host } from './host.ts';
import type { Where } from './where.ts';

/** Opens a repository for the time of `work`, and closes it whatever happens. */
export async function withHost<Result>(io: Io, where: Where, work: (host: Host) => Promise<Result>): Promise<Result> {
  const host = open(io, where);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

function open(io: Io, where: Where): Host {
  return where.host === 'github' ? openGithub(io, where) : openGitlab(io, where);
}
