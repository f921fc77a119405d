import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf, shellText } from '../../../src/core/model/command-line.ts';
import { assertProperty } from '../../support/property.ts';

test('a command repeats the project, what is selected, the commit and the overrides, and pins the plan', () => {
  const scope = { project: 'my folder', only: ['drm-policy/hd', 'playlist/*'], onlyOrigin: 'change', ref: 'abc1234' } as const;
  const command = commandOf('apply', scope, { target: 'live', allow: ['weakening', 'deletes=2'], expect: 'sha256:1' });
  expect(shellText(command)).toBe(
    "upkeep apply --project 'my folder' --target live --only drm-policy/hd --only 'playlist/*' --only-origin change --ref abc1234 " +
      '--allow weakening --allow deletes=2 --expect sha256:1',
  );
});

test('a command names nothing that the run was not told', () => {
  expect(commandOf('plan', { only: [] }, { target: 'live' })).toEqual(['upkeep', 'plan', '--target', 'live']);
});

test('a shell reads the words of a command as they are, whatever is in them', () => {
  const word = fc.oneof(fc.constantFrom('*', '~', '$HOME', '`id`', "it's", '-n', '#', '', 'a b', '$(id)', ';', '\\', '!'), fc.string());
  assertProperty(
    fc.property(
      fc.array(
        word.filter((text) => !text.includes('\0')),
        { minLength: 1, maxLength: 6 },
      ),
      (words) => {
        const printed = execFileSync('sh', ['-c', `set -- ${shellText(words)}; printf '%s\\0' "$@"`], { env: { HOME: '/nowhere' } });
        expect(printed.toString().split('\0').slice(0, -1)).toEqual(words);
      },
    ),
    { numRuns: 60 },
  );
});
