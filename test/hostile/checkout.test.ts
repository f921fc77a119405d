/**
 * Pull requests that bring files to which git or upkeep gives a meaning: upkeep.yaml is that of the protected branch, and every other file
 * is the attacker's. No canary runs, no key leaves, nothing is written elsewhere, and no record is believed (design section 4, rule 13).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asset, beams } from '../e2e/accounts.ts';
import { createSearcher } from '../support/canary.ts';
import { proving, record, rounds } from '../support/figures.ts';
import {
  API_KEY,
  createTestProject,
  OWNER,
  projectFile,
  type RunResult,
  runMain,
  type TestProject,
  temporaryFolder,
} from '../support/harness.ts';
import { atMost } from '../support/patience.ts';
import { printReplayOnFailure, runNumbers, seed } from '../support/property.ts';
import { BRANCH_KINDS, FILE_KINDS, type Traps } from './checkout-files.ts';
import { randomOf } from './random.ts';

const KINDS = Object.keys(FILE_KINDS);
const SOURCE = `playlists:\n  p1: { playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }\ndrm_policies:\n  premium: { widevine: {} }\n`;
const FOREIGN = { id: 'theirs', desc: 'somebody else', playlist: beams(9, 10) };

/** The commands, as a user or a CI job would run them in the folder of the project. */
const COMMANDS: readonly (readonly string[])[] = [
  ['validate'],
  ['targets'],
  ['plan'],
  ['plan', '--out', 'json=reports/plan.json', '--out', 'text=plan.json', '--out', 'markdown=.upkeep/plan.md'],
  ['apply', '--yes'],
  ['drift'],
  ['drift', 'accept', 'playlist/p1'],
  ['explain', 'playlist/p1'],
  ['impact'],
  ['export', '--dir', 'exported'],
  ['history'],
  ['undo'],
  ['doctor'],
  ['init', '--base-url', 'https://services.example.com', '--ci', 'github'],
  ['complete', '--', 'explain', 'playlist/'],
];

/** The commands of a job that trusts another commit, at the top of the work tree. */
const TRUSTING: readonly (readonly string[])[] = ['plan', 'validate'].flatMap((command) =>
  ['text', 'json'].map((format) => [command, '--project', 'project', '--trust-from', 'refs/remotes/origin/main', '--format', format]),
);
const isTrusting = (command: readonly string[]) => command.includes('--trust-from');

const LEDGERS = ['git', 'none'] as const;

/** Kinds that can lie in one tree and leave the repository and the sources readable, and each of the others alone. */
const EMBEDDED = KINDS.filter((kind) => kind.startsWith('embedded'));
const GROUPS = [KINDS.filter((kind) => !EMBEDDED.includes(kind)), ...EMBEDDED.map((kind) => [kind, 'attributes in the project'])];

/** A pull request: the kinds of its files, and the command that is run in its checkout. */
interface Tree {
  readonly kinds: readonly string[];
  readonly command: readonly string[];
  readonly ledger: (typeof LEDGERS)[number];
}

/** Returns the trees that hold each pair of a kind and a command at least once: each kind alone when proving, else in groups. */
function pairedTrees(): readonly Tree[] {
  const groups = proving ? [...GROUPS, ...KINDS.map((kind) => [kind])] : GROUPS;
  const ledgerOf = (index: number) => LEDGERS[index % 2 === 0 ? 0 : 1];
  return [
    ...groups.flatMap((kinds, group) => COMMANDS.map((command, index) => ({ kinds, command, ledger: ledgerOf(group + index) }))),
    ...[...Object.keys(BRANCH_KINDS).map((kind) => [kind]), ...groups].flatMap((kinds, group) =>
      TRUSTING.map((command, index) => ({ kinds, command, ledger: ledgerOf(group + index) })),
    ),
  ];
}

function drawnTree(number: number): Tree {
  const random = randomOf(seed, number);
  const kinds = KINDS.filter((kind) => random.below(EMBEDDED.includes(kind) ? 12 : 3) === 0);
  const command = random.of([...COMMANDS, ...TRUSTING, ...TRUSTING]);
  const branch = isTrusting(command) ? [random.of(Object.keys(BRANCH_KINDS))] : [];
  return { kinds: [...(kinds.length > 0 ? kinds : [random.of(KINDS)]), ...branch], command, ledger: random.of(LEDGERS) };
}

const TREES = rounds(60, 2000);

/** A checkout with a project below its top, and everything that its files may not reach. */
interface Checkout {
  readonly traps: Traps;
  readonly account: TestProject;
  /** Puts a pull request into the checkout, runs the command there, and returns what does not hold. */
  violationsOf(tree: Tree): Promise<readonly string[]>;
  git(...args: readonly string[]): string;
  readonly userEnv: { readonly [name: string]: string };
}

async function checkout(): Promise<Checkout> {
  const account = await createTestProject({}, { seed: { playlist: [FOREIGN] } });
  const root = temporaryFolder();
  const [top, remote, evilRemote, elsewhere, home, mark] = ['work', 'remote.git', 'evil.git', 'elsewhere', 'home', 'ran'].map((name) =>
    join(root, name),
  ) as [string, string, string, string, string, string];
  const project = join(top, 'project');
  const canary = join(root, 'canary');
  for (const folder of [join(project, 'sources'), elsewhere, home]) mkdirSync(folder, { recursive: true });
  writeFileSync(canary, `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`, { mode: 0o755 });
  const setup = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_NO_REPLACE_OBJECTS: '1' };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'core.autocrlf=false', ...args], {
      cwd: top,
      env: setup,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
      .toString()
      .trim();
  git('init', '-q', '--bare', '-b', 'main', remote);
  git('init', '-q', '--bare', '-b', 'main', evilRemote);
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', remote);
  // What the user has configured for all repositories, and an attribute of a pull request could choose.
  const settings = ['filter.canary.clean', 'filter.canary.smudge', 'filter.canary.process', 'diff.canary.textconv', 'diff.canary.command'];
  for (const name of [...settings, 'merge.canary.driver']) git('config', '--file', join(home, '.gitconfig'), name, canary);
  const bases: { [ledger: string]: string } = {};
  const userEnv = {
    PATH: `:.:${join(top, 'bin')}:${process.env.PATH}`,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_STATE_HOME: join(root, 'state'),
  };
  const run = (argv: readonly string[]): Promise<RunResult> => runMain(isTrusting(argv) ? top : project, { env: userEnv }, argv);
  writeFileSync(join(project, 'sources/account.yaml'), SOURCE);
  mkdirSync(join(top, 'sandbox/sources'), { recursive: true });
  writeFileSync(join(top, 'sandbox/sources/account.yaml'), 'playlists: {}\n');
  writeFileSync(join(top, 'sandbox/upkeep.yaml'), projectFile('http://127.0.0.1:9', 'ledger: none').replace('[config]', '[sources]'));
  for (const ledger of LEDGERS) {
    const text = projectFile(account.emulator.url, `ledger: ${ledger}\nweakening: allow`).replace('[config]', '[sources]');
    writeFileSync(join(project, 'upkeep.yaml'), text);
    git('add', '-A');
    git('commit', '-q', '-m', ledger);
    git('push', '-q', '--force', 'origin', 'HEAD:main');
    bases[ledger] = git('rev-parse', 'HEAD');
    const { code, stderr } = await run(['apply', '--yes']);
    if (code !== 0) throw new Error(`the project itself cannot be applied: ${stderr}`);
  }
  const entry: unknown = JSON.parse(execFileSync('git', ['show', 'refs/upkeep/live:entry.json'], { cwd: remote, env: setup }).toString());
  const previous = execFileSync('git', ['rev-parse', 'refs/upkeep/live'], { cwd: remote, env: setup }).toString().trim();
  const bindings = { 'playlist/zzz': { id: FOREIGN.id, origin: 'created' } };
  const forgedRecord = JSON.stringify({ previous, entry: { ...Object(entry), by: 'release-manager', bindings } });
  const recordsName = createHash('sha256').update('project/').digest('hex');
  const traps: Traps = { top, project, canary, elsewhere, evilRemote, forgedRecord, recordsName };
  const refsOf = (repository: string) =>
    execFileSync('git', ['--git-dir', repository, 'for-each-ref', '--format=%(refname)'], { env: setup }).toString().trim();
  const entryText = () => execFileSync('git', ['show', 'refs/upkeep/live:entry.json'], { cwd: remote, env: setup }).toString();
  const findSecret = createSearcher([
    { name: 'API key', value: API_KEY },
    { name: 'owner', value: OWNER },
  ]);
  const clear = (ledger: string): void => {
    git('reset', '-q', '--hard', bases[ledger] ?? '');
    git('clean', '-qffdx');
    git('update-ref', 'refs/remotes/origin/main', bases[ledger] ?? '');
  };
  /** Gives other refs the name of the trusted one, replaces its commit, and leaves secrets of the job that git ignores. */
  const confuse = (ledger: string): void => {
    for (const name of ['refs/tags/refs/remotes/origin/main', 'refs/heads/refs/remotes/origin/main', 'refs/tags/origin/main'])
      git('update-ref', name, 'HEAD');
    git('update-ref', `refs/replace/${bases[ledger]}`, 'HEAD');
    writeFileSync(join(top, '.git/info/exclude'), 'secrets\n');
    if (!existsSync(project)) return;
    mkdirSync(join(project, 'secrets'), { recursive: true });
    for (const name of ['key.yaml', 'key.txt']) writeFileSync(join(project, 'secrets', name), `${API_KEY}\n`);
  };
  return {
    traps,
    account,
    git,
    userEnv,
    async violationsOf({ kinds, command, ledger }) {
      clear(ledger);
      for (const kind of kinds) (FILE_KINDS[kind] ?? BRANCH_KINDS[kind])?.(traps);
      // What git does not take into a commit, no pull request can bring.
      git('add', '-A', '-f');
      git('commit', '-q', '--allow-empty', '-m', 'pull request');
      clear(ledger);
      git('merge', '-q', '--ff-only', 'ORIG_HEAD');
      if (isTrusting(command)) confuse(ledger);
      const { code, stdout, stderr } = await run(command);
      const ran = existsSync(mark);
      rmSync(mark, { force: true });
      const live = account.playlists().find(({ id }) => id === FOREIGN.id);
      const violations = [
        ...(ran ? ['a program of the pull request ran'] : []),
        ...findSecret(stdout + stderr).map((secret) => `it shows the ${secret}`),
        ...([0, 1, 2, 3, 4, 5, 8].includes(code) ? [] : [`exit code ${code}`]),
        ...(/unexpected: |a bug in upkeep/.test(stderr) ? [`a bug: ${stderr}`] : []),
        ...readdirSync(elsewhere).map((file) => `it wrote ${file} elsewhere`),
        ...(refsOf(evilRemote) === '' ? [] : ['it pushed to the remote of the pull request']),
        ...(live?.desc === FOREIGN.desc ? [] : ['an object of somebody else is gone']),
        ...(/release-manager|theirs/.test(entryText()) ? ['a forged record is in the ledger'] : []),
        ...(/was interrupted at 2026-01-02/.test(stderr) ? ['a forged journal was believed'] : []),
      ];
      return violations.map((violation) => `${command.join(' ')} with ledger ${ledger} and ${kinds.join(', ')}: ${violation}`);
    },
  };
}

test(`${TREES} pull requests full of hostile files run no program, get no key, and write nothing elsewhere`, {
  timeout: atMost(rounds(300_000, 3_600_000)),
}, async () => {
  printReplayOnFailure();
  const { violationsOf } = await checkout();
  const paired = pairedTrees();
  const trees = runNumbers(Math.max(TREES, paired.length)).map((number) => paired[number] ?? drawnTree(number));
  const violations: string[] = [];
  const pairs = new Set<string>();
  for (const tree of trees) {
    violations.push(...(await violationsOf(tree)));
    for (const kind of tree.kinds) pairs.add(`${kind}: ${tree.command.join(' ')}`);
  }
  const proof = 'adversary';
  const possible = KINDS.length * (COMMANDS.length + TRUSTING.length) + Object.keys(BRANCH_KINDS).length * TRUSTING.length;
  record({ proof, name: 'hostile checkouts', value: trees.length, wanted: `at least ${TREES}`, holds: trees.length >= TREES });
  record({ proof, name: 'pairs of file and command', value: pairs.size, wanted: `all ${possible}`, holds: pairs.size === possible });
  record({ proof, name: 'violations', value: violations.length, wanted: 'none', holds: violations.length === 0 });
  expect(violations).toEqual([]);
  expect(trees.length === 1 ? possible : pairs.size).toBe(possible);
});

test.each(EMBEDDED)('the canary of %s does run where git is not told otherwise', async (kind) => {
  const { traps } = await checkout();
  for (const each of [kind, 'attributes in the project']) FILE_KINDS[each]?.(traps);
  const env = { PATH: process.env.PATH, HOME: traps.elsewhere, GIT_CONFIG_NOSYSTEM: '1' };
  // They end in errors, because the canary gives no answer.
  for (const args of [
    ['add', 'upkeep.yaml'],
    ['ls-remote', 'origin'],
  ])
    spawnSync('git', ['-c', 'safe.bareRepository=all', ...args], { cwd: traps.project, env, stdio: 'ignore' });
  expect(existsSync(join(traps.top, '../ran'))).toBe(true);
});
