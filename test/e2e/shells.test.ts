/**
 * Completion as people have it: real shells load what `upkeep completion` prints, and ask the built program. A shell that is missing is
 * named in one line, and is a failure where `CI` is set.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SHELLS, type Shell } from '../../src/cli/flags.ts';
import { type ProjectFolder, projectFile, projectIn, temporaryFolder } from '../support/harness.ts';
import { atMost } from '../support/patience.ts';
import { asset } from './accounts.ts';

const missing = SHELLS.filter((shell) => spawnSync(shell, ['--version']).status !== 0);
if (missing.length > 0)
  process.stderr.write(`completion was not tried in shells that are not here: apt-get install ${missing.join(' ')}\n`);

test('the shells are installed in CI', () => {
  expect(missing.length === 0 || (process.env.CI ?? '') === '', `apt-get install ${missing.join(' ')}`).toBe(true);
});

/** A project with two targets, a policy of an awkward name, and a file. */
function project(): ProjectFolder {
  const project = projectIn(temporaryFolder());
  const second = projectFile('https://example.com')
    .replace(/^[\s\S]*?targets:\n/, '')
    .replace('  live:', '  staging:');
  project.write('upkeep.yaml', projectFile('https://example.com') + second);
  const list = `{ playlist: [beam: ${asset(1)}, beam: ${asset(2)}] }`;
  project.write('config/a.yaml', `playlists:\n  evening: ${list}\n  morning: ${list}\ndrm_policies: { "a b'c": {} }\n`);
  project.write('notes.txt', '');
  return project;
}

/** Runs a script in a shell to which `upkeep` is the built program. */
function inShell(shell: Shell, flags: readonly string[], script: string): string {
  const bin = temporaryFolder();
  const home = join(bin, 'home');
  mkdirSync(home);
  const program = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));
  writeFileSync(join(bin, 'upkeep'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, 'upkeep'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, TERM: 'dumb', LC_ALL: 'C.UTF-8' };
  return execFileSync(shell, [...flags, '-c', script], { cwd: project().folder, env, encoding: 'utf8', timeout: atMost(60_000) });
}

/** What a shell offers for each line, `|` where Tab is pressed at its end. */
type Offers = (lines: readonly string[]) => readonly (readonly string[])[];

/** Bash, by the function that it calls and the variables that it sets for it. */
const bash: Offers = (lines) => {
  const inputLines = lines.map((line) => {
    const words = line.split(' ');
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _upkeep; printf '%s\\n' "\${COMPREPLY[@]}" END`;
  });
  return splitOffers(
    inShell('bash', ['--norc'], ['source <(upkeep completion bash)', 'complete -p upkeep >/dev/null || exit 1', ...inputLines].join('\n')),
  );
};

/** Fish, by its own builtin that completes a line. */
const fish: Offers = (lines) => {
  const inputLines = lines.map((line) => `complete -C '${line}'; echo END`);
  return splitOffers(inShell('fish', ['--no-config'], ['upkeep completion fish | source', ...inputLines].join('\n')));
};

/** Zsh on a terminal of its own, in which Tab is pressed; what is handed to its completion system is written down. */
const zsh: Offers = (lines) => {
  const record = `compadd() { print -rl -- "$candidates[@]" >>record; builtin compadd "$@" }`;
  const inputLines = lines.map((line) => {
    const keys = `$'\\C-u${line}\\t'`;
    return `zpty -w -n shell ${keys}; zpty -w -n shell $'\\C-xd'; zpty -r shell out '*DONE*'; cat record 2>/dev/null; rm -f record; echo END`;
  });
  const start = [
    `PROMPT=; RPROMPT=; unsetopt beep; autoload -Uz compinit && compinit -u -D; source <(upkeep completion zsh)`,
    record,
    `done_() { print -r -- DONE }; zle -N done_; bindkey "^Xd" done_; bindkey "^I" complete-word; bindkey "^U" kill-whole-line; print LOAD""ED`,
  ].join('; ');
  const script = [
    'zmodload zsh/zpty',
    'zpty -b shell zsh -f -i',
    `zpty -w shell ${quoted(start)}`,
    `zpty -r shell out '*LOADED*'`,
    ...inputLines,
    'zpty -d shell',
  ];
  return splitOffers(inShell('zsh', ['-f'], script.join('\n')));
};

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The offers of each line, without their descriptions. */
function splitOffers(printed: string): readonly (readonly string[])[] {
  return printed
    .split(/^END\n/m)
    .slice(0, -1)
    .map((part) =>
      part
        .split('\n')
        .map((line) => line.replace(/\t.*/, ''))
        .filter((line) => line !== ''),
    );
}

const LINES: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['upkeep pl', ['plan']],
  ['upkeep plan -t ', ['live', 'staging']],
  ['upkeep plan --only playlist/', ['playlist/evening', 'playlist/morning']],
  ['upkeep drift accept playlist/e', ['playlist/evening']],
  ['upkeep explain targets.limits.', ['targets.limits.delete', 'targets.limits.off_air', 'targets.limits.update']],
  ['upkeep impact drm', ['drm-policy/a%20b%27c']],
];

const OFFERS: { readonly [shell in Shell]: Offers } = { bash, zsh, fish };

describe.each(SHELLS)('completion in a real %s', (shell) => {
  const offers = OFFERS[shell];
  const isMissing = missing.includes(shell);

  test.skipIf(isMissing)('covers commands, targets, addresses and fields', () => {
    // Some shells sort what they offer.
    expect(offers(LINES.map(([line]) => line)).map((offered) => offered.toSorted())).toEqual(LINES.map(([, offered]) => offered));
  });

  test.skipIf(isMissing)('leaves files to the shell', () => {
    const [found] = offers(['upkeep plan --project no']);
    expect(found).toEqual(shell === 'fish' ? ['notes.txt'] : []);
  });
});
