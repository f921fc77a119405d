import { expect, test } from 'vitest';
import { writeSnapshot } from '../../../src/core/ledger/snapshot.ts';
import { commit, entry, git, lock, newClone } from './repositories.ts';

const REF = 'refs/upkeep/production';

/** The message and the parents of the last entry. */
const last = (url: string): readonly string[] => [git(url, 'log', '-1', '--format=%B', REF), git(url, 'log', '-1', '--format=%P', REF)];

test('the commit of an entry says who applied what, and has the entry before and the configuration as its parents', async () => {
  const { at, url, folder } = await newClone();
  const digest = entry().config.digest;
  const one = await (await lock(at)).pushEntry(entry({ summary: { ...entry().summary, created: 0 }, verified: false }), null);
  const rows = ['By: ada@example', 'Where: build-1', 'Configuration: no commit', `Fingerprint: ${entry().fingerprint}`];
  expect(last(url)).toEqual([['production: nothing to do', '', ...rows, 'Verified: no', 'Tool: upkeep 1.0.0', ''].join('\n'), '']);

  const made = commit(folder);
  const summary = { ...entry().summary, created: 2, deleted: 1 };
  await (await lock(at)).pushEntry(entry({ summary, where: 'job\n7', tool: '2\n', config: { commit: made, digest } }), one);
  expect(last(url)).toEqual([
    [
      'production: 2 created, 1 deleted',
      '',
      'By: ada@example',
      'Where: job 7',
      `Configuration: ${made}`,
      `Fingerprint: ${entry().fingerprint}`,
      'Verified: yes',
      'Tool: upkeep 2',
      '',
    ].join('\n'),
    `${one} ${made}`,
  ]);
});

test('the commit of the files of a configuration says what it is', async () => {
  const { at, folder } = await newClone();
  const made = await writeSnapshot(at.repository, { files: new Map([['a', Buffer.from('x')]]), folders: new Set() });
  expect(git(folder, 'log', '-1', '--format=%an %at %s', made)).toBe('upkeep 0 Files of a configuration');
});
