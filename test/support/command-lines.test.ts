import { expect, test } from 'vitest';
import { rememberCommandLine, takeCommandLines } from './command-lines.ts';

test('a failed test shows exit code and stderr of its last command lines, and those of no other test', () => {
  takeCommandLines();
  for (let run = 1; run <= 6; run++) rememberCommandLine(['plan', `--run=${run}`], { code: run, stderr: `error: ${run}\nhint\n` });
  const shown = takeCommandLines();
  expect(shown).not.toContain('--run=1');
  expect(shown).toContain('upkeep plan --run=2\n  exit code 2, stderr:\n    error: 2\n    hint\nupkeep plan --run=3');
  expect(takeCommandLines()).toBe('');
});

test('a command line that wrote much shows the end of it', () => {
  takeCommandLines();
  rememberCommandLine(['plan'], { code: 1, stderr: `${'x'.repeat(100_000)}the reason\n` });
  const shown = takeCommandLines();
  expect(shown.length).toBeLessThan(5_000);
  expect(shown).toMatch(/x the reason$|xthe reason$/);
});
