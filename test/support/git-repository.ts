/** Empty repositories of git for tests, written as files, since each process of git takes its time. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** No garbage collection after each commit and push, and no waiting for the disk: the repository is soon removed. */
const SETTINGS = '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n[core]\n\tfsync = none\n';

/** Creates an empty bare repository whose branch is `main`. */
export function createBareRepository(folder: string): void {
  createRepository(folder, '\tbare = true\n');
}

/** Makes a folder an empty repository whose branch is `main`, with a remote `origin` if it has an address. */
export function createWorkTree(folder: string, origin?: string): void {
  const remote = origin === undefined ? '' : `[remote "origin"]\n\turl = ${origin}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  createRepository(join(folder, '.git'), `\tbare = false\n${remote}`);
}

function createRepository(folder: string, config: string): void {
  for (const name of ['objects', 'refs', 'hooks']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'config'), `[core]\n\trepositoryformatversion = 0\n${config}${SETTINGS}`);
}
