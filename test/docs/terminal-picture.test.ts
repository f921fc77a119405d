/** The picture of the README: the plan of the demo, as a terminal shows it. */
import { readFileSync } from 'node:fs';
import { parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import seed from '../../examples/demo.seed.json' with { type: 'json' };
import { createExampleProject } from '../support/harness.ts';
import { terminalPicture } from './terminal-picture.ts';

const PICTURE = '.github/pictures/demo-plan.svg';
const COLUMNS = 88;
const COMMAND = 'plan -t production';

/**
 * Returns the lines of the picture: the command of the demo and the plan to the end of what is blocked. The fingerprint is shortened, since
 * it depends on the port of the emulator.
 */
async function linesOfPlan(): Promise<readonly string[]> {
  const project = await createExampleProject({ seed });
  const options = { columns: COLUMNS, env: { FORCE_COLOR: '1' } };
  const { code, stdout } = await project.runWith(options, ...COMMAND.split(' '));
  expect(code).toBe(0);
  const lines = stdout.replace(/sha256:[0-9a-f]{64}/g, 'sha256:...').split('\n');
  const blocked = lines.findIndex((line) => line.includes('Blocked ('));
  const end = lines.indexOf('', blocked);
  expect([blocked, end].every((at) => at > 0)).toBe(true);
  return [`$ upkeep ${COMMAND}`, ...lines.slice(0, end), '', `\u001b[2m... and more\u001b[22m`];
}

test('the picture of the README is the plan of the demo as it is now (`npm run generate` draws it)', async () => {
  const title = 'The plan of the demo in a terminal: the verdict, who may unblock it, what viewers notice, and what is blocked';
  await expect(terminalPicture(title, COLUMNS, await linesOfPlan())).toMatchFileSnapshot(`../../${PICTURE}`);
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(`![${title}](${PICTURE})`);
});

test('the demo plans the project of the picture from the same account', () => {
  const demo = readFileSync(new URL('../../examples/demo.mjs', import.meta.url), 'utf8');
  for (const part of ["'demo.seed.json'", "'streaming-account'", `'${COMMAND} `]) expect(demo).toContain(part);
});

describe('a picture of a terminal', () => {
  /** The lines that a reader of the picture sees. */
  function textsOf(svg: string): readonly string[] {
    const textOf = (node: object): string =>
      'value' in node
        ? String(node.value)
        : 'childNodes' in node && Array.isArray(node.childNodes)
          ? node.childNodes.map(textOf).join('')
          : '';
    const [root] = parseFragment(svg).childNodes;
    const children = root !== undefined && 'childNodes' in root ? root.childNodes : [];
    return children.filter(({ nodeName }) => nodeName === 'text').map(textOf);
  }

  test('has the text of each line, without its escape sequences', () => {
    const lines = ['a <b> & "c"', '', '  \u001b[1m\u001b[31mred\u001b[39m\u001b[22m &lt; \u001b[2mdim', 'still dim\u001b[22m'];
    expect(textsOf(terminalPicture('Title', 20, lines))).toEqual(['a <b> & "c"', '', '  red &lt; dim', 'still dim']);
  });

  test('keeps a style until it ends, also across lines', () => {
    const svg = terminalPicture('Title', 20, ['\u001b[2ma', 'b\u001b[22mc']);
    expect(svg).toContain('><tspan fill-opacity="0.65">a</tspan></text>');
    expect(svg).toContain('><tspan fill-opacity="0.65">b</tspan>c</text>');
  });

  test('is refused with a style that it does not know', () => {
    expect(() => terminalPicture('Title', 20, ['\u001b[7minverse'])).toThrow('does not know the code 7');
  });
});
