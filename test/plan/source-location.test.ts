import { expect, it } from 'vitest';
import { withSourceLocation } from '../../src/plan/source-location.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { aSong, declaring, planned } from '../support/planning.ts';

const at = { file: 'config.yaml', line: 3, column: 5 };
const SONGS = { two: { title: 'extra', guard: 0, list: [] } };

/** The step of one song, before anybody has said where it is declared. */
async function stepOf(inFile?: typeof at & { readonly excerpt: string }) {
  const { changes: steps } = await planned(new FakeAccount({ songs: SONGS }), declaring([{ ...aSong('a'), ...(inFile && { inFile }) }]));
  return steps.map(({ change: { declared: _declared, ...change }, ...step }) => ({ ...step, change }));
}

it('withSourceLocation adds where the resource is declared, and keeps everything else', async () => {
  const place = (path: readonly (string | number)[]) => ({ ...at, file: path.join('/'), excerpt: 'a: {}' });
  const [step, deleted] = await stepOf();
  if (!step || !deleted) throw new Error('two steps were planned');
  expect(withSourceLocation(step, { sourceOf: place })).toEqual({
    ...step,
    change: { ...step.change, declared: { ...at, file: 'songs/a' } },
  });
  expect(withSourceLocation(deleted, { sourceOf: place })).toBe(deleted);
});

it('withSourceLocation points to the line of an asset file', async () => {
  const [step] = await stepOf({ file: 'assets.txt', line: 7, column: 1, excerpt: 'x' });
  if (!step) throw new Error('a step was planned');
  expect(withSourceLocation(step, { sourceOf: () => at }).change.declared).toEqual({ file: 'assets.txt', line: 7, column: 1 });
});
