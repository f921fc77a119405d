/** The built program as every user of the machine sees it: its arguments, and arguments and environment of all that it starts. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { OutputText } from '../../support/canary.ts';
import { API_KEY, OWNER, type RunResult, temporaryFolder } from '../../support/harness.ts';
import { withLedgerLeakCheck } from './leak-check.ts';
import { recordingScript } from './process-recorder.ts';

const PROGRAM = fileURLToPath(new URL('../../../dist/upkeep.js', import.meta.url));

/** Each way to name a credential, with what it leads to. */
const SOURCES: readonly (readonly [way: string, source: (name: string, folder: string) => string])[] = [
  ['environment', (name) => `{ env: UPKEEP_${name.toUpperCase()} }`],
  ['file', (name, folder) => `{ file: ${join(folder, name)} }`],
  ['command', (name, folder) => `{ command: [${join(folder, `${name}.sh`)}, --of, production] }`],
];

test.each(SOURCES)(
  'an apply with credentials by %s shows no key, msg or sig in any arguments, nor in the environment of a child',
  async (way, source) => {
    const { project, recorder, expectNoLeak } = await withLedgerLeakCheck();
    const folder = temporaryFolder();
    const [bin, file] = [join(folder, 'bin'), join(folder, 'seen')];
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), recordingScript(file, `PATH='${process.env.PATH}' exec git "$@"`), { mode: 0o755 });
    project.hook('pre-receive', recordingScript(file, 'exit 0').split('\n').slice(1).join('\n'));
    for (const [name, value] of [
      ['owner', OWNER],
      ['api_key', API_KEY],
    ] as const) {
      writeFileSync(join(folder, name), value);
      writeFileSync(join(folder, `${name}.sh`), recordingScript(file, `cat '${join(folder, name)}'`), { mode: 0o755 });
      project.write('upkeep.yaml', project.read('upkeep.yaml').replace(new RegExp(`(${name}:) .*`), `$1 ${source(name, folder)}`));
    }
    project.commit();
    const credentialEnv = way === 'environment' ? { UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY } : {};
    const env = { ...project.env, PATH: `${bin}:${process.env.PATH}`, ...credentialEnv };
    const processTexts: OutputText[] = [];
    const ended = new Promise<RunResult>((resolve) => {
      const argv = [PROGRAM, 'apply', '--yes', '--log-level', 'trace'];
      const child = execFile(process.execPath, argv, { cwd: project.folder, env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
      // Its own environment is visible to its owner and root only; credentials that it fetched itself must not be there.
      const views = way === 'environment' ? ['cmdline'] : ['cmdline', 'environ'];
      recorder.respond = () => {
        for (const view of views)
          processTexts.push({ where: `${view} of upkeep`, text: readFileSync(`/proc/${child.pid}/${view}`, 'utf8') });
        return null;
      };
    });
    const { code, stdout, stderr } = await ended;
    expect([code, project.entries().length]).toEqual([0, 1]);
    expect(processTexts[0]?.text).toContain('upkeep.js\0apply\0--yes');
    expect(processTexts.length).toBeGreaterThan(20);
    const recorded = readFileSync(file, 'utf8');
    expect(recorded).toContain('--force-with-lease');
    expect(recorded.includes('--of\nproduction')).toBe(way === 'command');
    expect(existsSync(join(project.remote, 'refs/upkeep/live'))).toBe(true);
    const output = { where: 'what the program said', text: stdout + stderr };
    expectNoLeak([...processTexts, { where: 'what programs were started with', text: recorded }, output]);
  },
);
