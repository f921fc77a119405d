/** A project for runs that are interrupted: an account behind a proxy that delays requests, and a ledger. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { type RequestProxy, startProxy } from '../support/proxy.ts';
import { config, manyPlaylists } from './accounts.ts';

export const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));
/** The beginning of the message about an interrupt. */
export const INTERRUPTED = 'note: interrupted: no new requests are started';
export const LOCK = 'refs/upkeep/locks/live';

/** Four playlists are to be created, one request at a time. */
export async function interruptProject(): Promise<{ readonly project: GitProject; readonly proxy: RequestProxy }> {
  const proxy = await startProxy();
  onTestFinished(() => proxy.close());
  const project = await createGitProject(config({ playlists: manyPlaylists(4) }), {
    target: 'http: { concurrency: 1, requests_per_second: 0 }',
  });
  proxy.target = project.emulator.url;
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
  project.commit();
  return { project, proxy };
}

/** Calls a function while the first request of this method is in flight. */
export function duringFirstRequest<Run>(proxy: RequestProxy, method: string, run: Run, act: (run: Run) => Promise<void>): Run {
  let isDone = false;
  proxy.watch = async (_nth, boundary, requestMethod) => {
    if (isDone || boundary !== 'before' || requestMethod !== method) return;
    isDone = true;
    await act(run);
  };
  return run;
}
