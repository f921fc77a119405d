import { describe, expect, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';

const TARGETS = `
targets:
  main:
    base_url: https://services.example.com
    credentials: { owner: { env: OWNER }, api_key: { env: KEY } }
    sources: [config]
`;

function load(guards: string) {
  return loadProject(memoryFiles([{ name: 'upkeep.yaml', text: `version: 1\n${guards}${TARGETS}` }]), '2027-01-01');
}

function found(guards: string): readonly string[] {
  return load(guards).findings.map(({ line, column, code, summary }) => `${line}:${column} ${code} ${summary}`);
}

/** Removes the mark `¦` from a text, and returns its position as `line:column`. */
function withoutMark(text: string): { readonly text: string; readonly position: string } {
  const before = text.slice(0, text.indexOf('¦')).split('\n');
  return { text: text.replace('¦', ''), position: `${before.length + 1}:${(before.at(-1)?.length ?? 0) + 1}` };
}

test('a guard with a pattern that CEL and JavaScript read alike is valid', () => {
  const patterns = ['^a.+z$', '\\\\d{2}\\\\.\\\\x41', '\\\\\\\\A', '[\\\\]x]', '[[x]', '\\\\[:alpha:]'];
  const guards = patterns.map((pattern, index) => `  - { id: g${index}, message: m, deny: 'target.matches("${pattern}")' }\n`);
  expect(found(`guards:\n${guards.join('')}`)).toEqual([]);
});

describe('an invalid guard is a finding at the character of its error:', () => {
  test.each([
    ['deny: change.¦bogus == 1', '`deny`: No such key: bogus'],
    ['deny: "change.¦bogus == 1"', '`deny`: No such key: bogus'],
    ["deny: 'change.¦bogus == 1'", '`deny`: No such key: bogus'],
    ['deny: change.fields.exists(f, f.¦nope == 1)', '`deny`: No such key: nope'],
    ['deny: ¦chnage.kind == "x"', '`deny`: Unknown variable: chnage'],
    ['deny: ¦plan.delete > "x"', '`deny`: no such overload: int > string'],
    ['deny: run.¦brnach == "main"', '`deny`: No such key: brnach'],
    ['deny: ¦run.pull_request == 7', '`deny`: no such overload: string == int'],
    ['deny: ¦change.kind', '`deny`: it gives string, and must give bool'],
    ['warn: change.kind ==¦', '`warn`: Unexpected token: EOF'],
    ['deny: "true"\n    when: plan.¦deletes > 3', '`when`: No such key: deletes'],
    ['deny: |\n      target == "main" &&\n        change.¦bogus == 1', '`deny`: No such key: bogus'],
    ['deny: >\n      target == "main" &&\n        change.¦bogus == 1', '`deny`: No such key: bogus'],
    ['deny: ¦target == "main" &&\n      change.bogus == 1', '`deny`: No such key: bogus'],
    ['deny: ¦"change\\u002Ebogus == 1"', '`deny`: No such key: bogus'],
    ['deny: change.fields.exists(f, f.after in [¦1u, 2u])', '`deny`: unsigned integers are not supported: write 1, not 1u'],
    ['deny: plan.delete == int(string(¦uint("2")))', '`deny`: unsigned integers are not supported: write 1, not 1u'],
    ['deny: change.name.matches(¦r"\\A4k")', '`deny`: `matches` takes a JavaScript pattern, where `\\A` means something else'],
    ['deny: \'target.matches(¦"[]x]")\'', '`deny`: `matches` takes a JavaScript pattern, where `[]` means something else'],
    ['deny: \'target.matches(¦"[[:upper:]]+")\'', '`deny`: `matches` takes a JavaScript pattern, where `[:upper:]` means something else'],
  ])('is reported at the character: %s', (part, expected) => {
    const { text, position } = withoutMark(`guards:\n  - id: a\n    message: m\n    ${part}\n`);
    expect(found(text)).toEqual([`${position} guard-expression guard \`a\`, ${expected}`]);
  });

  test('with a suggestion', () => {
    const [finding] = load('guards: [{ id: a, message: m, deny: change.adress == "x" }]').findings;
    expect(finding?.hint).toBe(
      'Did you mean `address`? A guard sees change, impact, plan, run, target; schemas/guard.schema.json lists what they hold.',
    );
  });

  test('for every guard at once, and for a duplicate id', () => {
    const two = 'guards:\n  - { id: a, message: m, deny: nope }\n  - { id: a, message: m, warn: change.x }\n';
    expect(found(two).map((each) => each.replace(/ guard .*| there.*/, ''))).toEqual([
      '3:32 guard-expression',
      '4:11 duplicate-item',
      '4:39 guard-expression',
    ]);
  });

  test('for neither deny nor warn, for both, for an unknown key, and for deep nesting', () => {
    expect(found('guards: [{ id: a, message: m }]')).toHaveLength(1);
    expect(found('guards: [{ id: a, message: m, deny: "true", warn: "true" }]')).toHaveLength(1);
    expect(found('guards: [{ id: a, message: m, deny: "true", also: 1 }]')).toEqual([expect.stringContaining('unknown-key')]);
    expect(found(`guards: [{ id: a, message: m, deny: "${'('.repeat(1900)}true${')'.repeat(1900)}" }]`)).toEqual([
      expect.stringContaining('guard-expression'),
    ]);
  });
});

test('a valid guard is returned with its position', () => {
  const { project, findings } = load(
    'guards:\n  - { id: a, message: m, when: target == "main", deny: change.effect == "weakens" }\n  - { id: b, message: n, warn: "true" }\n',
  );
  expect(findings).toEqual([]);
  expect(project?.guards.map((guard) => ({ ...guard, position: guard.position() }))).toEqual([
    {
      id: 'a',
      verdict: 'deny',
      conditions: ['target == "main"', 'change.effect == "weakens"'],
      message: 'm',
      position: { file: 'upkeep.yaml', line: 3, column: 5 },
    },
    { id: 'b', verdict: 'warn', conditions: ['true'], message: 'n', position: { file: 'upkeep.yaml', line: 4, column: 5 } },
  ]);
});
