import { expect, test } from 'vitest';
import type { Exchange } from '../../src/core/kinds/probe.ts';
import { READ_READERS } from '../../src/probe/read-step.ts';

const SERVICE_TIME = Date.UTC(2026, 2, 1, 10);

/** An answer that arrived at a time of this machine. */
function answerAt(at: number): Exchange {
  const headers: { readonly [name: string]: string } = { date: new Date(SERVICE_TIME).toUTCString() };
  return { status: 200, bytes: Buffer.alloc(0), body: null, at, tookMs: 1, version: 'v4', header: (name) => headers[name] };
}

test.each([
  [60_000, 'within a minute', '60 s, this machine ahead'],
  [60_001, 'more than a minute', '60 s, this machine ahead'],
  [-60_000, 'within a minute', '60 s, this machine behind'],
  [-60_001, 'more than a minute', '60 s, this machine behind'],
])('clocks that differ by %d ms differ by %s', (skew, found, detail) => {
  expect(READ_READERS.clock?.(new Map([['a', answerAt(SERVICE_TIME + skew)]]))).toEqual({ found, detail });
});
