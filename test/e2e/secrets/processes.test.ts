/** The built program as every user of the machine sees it: its arguments, and arguments and environment of all that it starts. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Trace } from '../../support/canary.ts';
import { API_KEY, OWNER, type Ran, temporaryFolder } from '../../support/harness.ts';
import { guardLedger } from './guard.ts';
import { witness } from './leak-finder.ts';

const PROGRAM = fileURLToPath(new URL('../../../dist/upkeep.js', import.meta.url));

/** Each way to name a credential, with what it leads to. */
const SOURCES: readonly (readonly [way: string, source: (name: string, place: string) => string])[] = [
  ['environment', (name) => `{ env: UPKEEP_${name.toUpperCase()} }`],
  ['file', (name, place) => `{ file: ${join(place, name)} }`],
  ['command', (name, place) => `{ command: [${join(place, `${name}.sh`)}, --of, production] }`],
];

test.each(SOURCES)(
  'apply with a ledger, credentials by %s: no key, msg or sig in any arguments, nor in the environment of a child',
  async (way, source) => {
    const { set, recorder, expectNoLeak } = await guardLedger();
    const place = temporaryFolder();
    const [bin, file] = [join(place, 'bin'), join(place, 'seen')];
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), witness(file, `PATH='${process.env.PATH}' exec git "$@"`), { mode: 0o755 });
    set.hook('pre-receive', witness(file, 'exit 0').split('\n').slice(1).join('\n'));
    for (const [name, value] of [
      ['owner', OWNER],
      ['api_key', API_KEY],
    ] as const) {
      writeFileSync(join(place, name), value);
      writeFileSync(join(place, `${name}.sh`), witness(file, `cat '${join(place, name)}'`), { mode: 0o755 });
      set.write('upkeep.yaml', set.read('upkeep.yaml').replace(new RegExp(`(${name}:) .*`), `$1 ${source(name, place)}`));
    }
    set.commit();
    const given = way === 'environment' ? { UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY } : {};
    const env = { ...set.env, PATH: `${bin}:${process.env.PATH}`, ...given };
    const own: Trace[] = [];
    const ended = new Promise<Ran>((resolve) => {
      const argv = [PROGRAM, 'apply', '--yes', '--log-level', 'trace'];
      const child = execFile(process.execPath, argv, { cwd: set.folder, env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
      // What it was given in its environment stands there for its owner and root alone; what it fetched by itself must not.
      const views = way === 'environment' ? ['cmdline'] : ['cmdline', 'environ'];
      recorder.instead = () => {
        for (const view of views) own.push({ where: `${view} of upkeep`, text: readFileSync(`/proc/${child.pid}/${view}`, 'utf8') });
        return null;
      };
    });
    const { code, stdout, stderr } = await ended;
    expect([code, set.entries().length]).toEqual([0, 1]);
    expect(own[0]?.text).toContain('upkeep.js\0apply\0--yes');
    expect(own.length).toBeGreaterThan(20);
    const seen = readFileSync(file, 'utf8');
    expect(seen).toContain('--force-with-lease');
    expect(seen.includes('--of\nproduction')).toBe(way === 'command');
    expect(existsSync(join(set.remote, 'refs/upkeep/live'))).toBe(true);
    const said = { where: 'what the program said', text: stdout + stderr };
    expectNoLeak([...own, { where: 'what programs were started with', text: seen }, said]);
  },
);
