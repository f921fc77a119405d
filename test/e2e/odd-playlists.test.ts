/** Valid playlists that are unlike others: each can be managed, or it alone cannot. */
import { expect, test } from 'vitest';
import { createTestProject } from '../support/harness.ts';
import { beams, config, manyPlaylists } from './accounts.ts';

test.each([
  ['an ad break without a length', { ad: {} }],
  ['an ad break of half a second', { ad: { dur: 0.5 } }],
  ['an entry of a type that no document names', { slate: { id: 'x' } }],
])('%s in one playlist leaves every other one to be planned and written, and its own update is blocked', async (_name, odd) => {
  const live = [{ id: 'odd', desc: 'p1', playlist: [...beams(1), odd] }];
  const project = await createTestProject(config({ playlists: manyPlaylists(2) }), { seed: { playlist: live } });
  const { document } = await project.plan();
  expect(document.observed.playlist).toBe('complete');
  expect(document.changes.map(({ action, address, blocked }) => [action, address, blocked?.check])).toEqual([
    ['update', 'playlist/p1', 'unknown-fields'],
    ['create', 'playlist/p2', undefined],
  ]);
  expect(document.changes[0]?.blocked?.reason).toContain(`/playlist/1 = ${JSON.stringify(odd)}`);
  expect((await project.run('apply', '--yes', '--skip-blocked')).code).toBe(4);
  expect(project.writes()).toEqual(['POST /api/v4/linear-playlist']);
});
