/** What a branch can make expensive: no step of the program is taken more often than twice for twice as many bytes. */
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/harness.ts';
import { type Counts, counted, steep } from './counted.ts';
import { writeShape } from './growth.mjs';
import { SHAPES } from './shapes.mjs';

/** Each limit of what a configuration expands to is reached at the first of these sizes, in KiB, or never. */
const SIZES = [48, 96, 192];

/** Where a limit lies between two sizes, what is told of it grows faster; what is taken for each pair, at these sizes, comes to millions. */
const FEW = 100_000;

describe('sources that grow take no step more often than they grow', () => {
  test.each(Object.entries(SHAPES))('%s', async (_, shape) => {
    const found: Counts[] = [];
    for (const kib of SIZES) {
      const folder = temporaryFolder();
      writeShape(folder, shape(kib));
      const { code, counts } = await counted(folder, 'validate');
      expect([0, 8]).toContain(code);
      expect(counts.size).toBeGreaterThan(1000);
      found.push(counts);
    }
    const [first = new Map(), second = new Map(), third = new Map()] = found;
    expect([...steep(first, second, FEW), ...steep(second, third, FEW)]).toEqual([]);
  });
});
