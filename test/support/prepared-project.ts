/** A project with a ledger that the tests of a file share: it is prepared once, and each test finds it as it was then. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedByFile } from './cleanup.ts';
import type { GitProject } from './git-project.ts';
import { temporaryFolder } from './harness.ts';
import { stateHomeOf } from './local-files.ts';

/**
 * Returns a function for the tests of a file: its first call with the same arguments prepares the project, every other one puts back its
 * files and playlists. A test calls it once with the same arguments.
 */
export function preparedOnce<Arguments extends readonly unknown[], Project extends GitProject>(
  prepare: (...args: Arguments) => Promise<Project>,
): (...args: Arguments) => Promise<Project> {
  const prepared = new Map<string, { readonly project: Project; readonly putBack: () => void }>();
  return async (...args) => {
    const name = JSON.stringify(args);
    const earlier = prepared.get(name);
    if (earlier) {
      earlier.putBack();
      return earlier.project;
    }
    return sharedByFile(async () => {
      const project = await prepare(...args);
      prepared.set(name, { project, putBack: savedStateOf(project) });
      return project;
    });
  };
}

/** Saves the files of a project and the playlists of its account. Returns a function that puts them back. */
function savedStateOf(project: GitProject): () => void {
  const saved = temporaryFolder();
  const places = [project.folder, stateHomeOf(project.folder), dirname(project.remote)];
  const copies = places.map((place, index) => ({ place, copy: join(saved, String(index)) })).filter(({ place }) => existsSync(place));
  for (const { place, copy } of copies) copyFolder(place, copy);
  const [account, playlists] = [JSON.stringify(project.emulator.dump()), project.playlists()];
  return () => {
    for (const place of places) rmSync(place, { recursive: true, force: true });
    for (const { place, copy } of copies) copyFolder(copy, place);
    for (const { id } of project.playlists()) project.editPlaylist(String(id), null);
    for (const playlist of playlists) {
      project.emulator.edit({ emulation: 'playlist', collection: 'playlists', id: String(playlist.id), document: playlist });
    }
    project.emulator.setFaults([]);
    project.emulator.clearRequests();
    // Only playlists are put back.
    if (JSON.stringify(project.emulator.dump()) !== account) throw new Error('the account is not as it was prepared');
  };
}

function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
