import type { CliContext } from '../app/runtime.ts';
import type { CodeHost } from './code-host.ts';
import type { DetectedHost } from './detect.ts';
import { openGithub } from './github.ts';
import { openGitlab } from './gitlab.ts';

/** Opens a repository for the time of `work`, and closes it whatever happens. */
export async function withHost<Result>(io: CliContext, detected: DetectedHost, work: (host: CodeHost) => Promise<Result>): Promise<Result> {
  const host = open(io, detected);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

function open(io: CliContext, detected: DetectedHost): CodeHost {
  return detected.host === 'github' ? openGithub(io, detected) : openGitlab(io, detected);
}
