/** Addresses of a ledger in a repository of its own (design section 6, a repository of its own). */
import { describe, expect, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';

const SECRET = 'hunter2';

function load(ledger: string) {
  const text = `version: 1
targets:
  production:
    base_url: https://services.example.com
    credentials: { owner: { env: A }, api_key: { env: B } }
    sources: [config]
    ledger: ${ledger}
project: content
`;
  return loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), '2027-01-01');
}

const withAddress = (address: string) => load(`{ git: ${JSON.stringify(address)} }`);

describe('the address of a ledger repository', () => {
  test.each([
    'https://github.com/acme/ledger.git',
    'https://git.example.com:8443/a/b@c/ledger',
    'https://[::1]:8443/ledger.git',
    'ssh://git@github.com/acme/ledger.git',
    'ssh://git.example.com:2222/~ops/ledger.git',
    'ssh://ci-bot_1@git.example.com/ledger.git',
    '/srv/git/ledger.git',
    '/srv/git/with space/a:b.git',
    '../ledger.git',
    '../a:b/ledger.git',
  ])('may be %s', (address) => {
    const { project, findings } = withAddress(address);
    expect(findings).toEqual([]);
    expect(project?.targets[0]?.ledger).toEqual({ git: address });
  });

  test.each([
    ['https://ada:hunter2@git.example.com/ledger.git', 'a password with https'],
    ['https://hunter2@git.example.com/ledger.git', 'a token with https'],
    ['https://:hunter2@git.example.com/ledger.git', 'a password without a user'],
    ['https://git.example.com/ledger.git?private_token=hunter2', 'a query'],
    ['https://git.example.com/ledger.git#hunter2', 'a fragment'],
    ['https://hunter2\\@evil.example.com/ledger.git', 'a backslash'],
    ['ssh://git:hunter2@git.example.com/ledger.git', 'a password with ssh'],
    ['ssh://git%3Ahunter2@git.example.com/ledger.git', 'an escaped password'],
    ['ssh://-oProxyCommand=hunter2@git.example.com/x', 'an option as the user'],
    ['ssh://-oProxyCommand=hunter2/x', 'an option as the host'],
    ['https://-hunter2/x', 'a host that begins with a dash'],
    ['https:///hunter2', 'no host'],
    ['https://git.example.com', 'no path'],
    ['https://git.example.com/', 'an empty path'],
    ['ssh://git@host name/x', 'a space'],
    ['http://git.example.com/ledger.git', 'http'],
    ['git://git.example.com/ledger.git', 'git'],
    ['file:///srv/git/ledger.git', 'file'],
    ['ftp://git.example.com/ledger.git', 'ftp'],
    ['git+ssh://git@git.example.com/ledger.git', 'git+ssh'],
    ['HTTPS://git.example.com/ledger.git', 'a scheme in capitals'],
    ['file:/srv/git/ledger.git', 'file with one slash'],
    ['http:git.example.com/ledger.git', 'http without slashes'],
    ['git:ledger', 'git without slashes'],
    ['ext::sh -c hunter2', 'ext'],
    ['ext::ssh://git@git.example.com/x', 'ext before an address'],
    ['fd::17', 'fd'],
    ['::hunter2', 'an empty name of a program'],
    ['any-other+1.x::/x', 'any other program'],
    ['-u./payload', 'a leading dash'],
    ['--upload-pack=hunter2', 'an option'],
    ['ada:hunter2@git.example.com:ledger.git', 'a password before host:path'],
    ['git.example.com:ledger.git', 'host:path'],
    ['a:b/ledger.git', 'a colon before the first slash'],
    ['ledger.git', 'a folder of the project'],
    ['./ledger.git', 'a folder of the project'],
    ['config/../ledger.git', 'a folder of the project'],
    ['.', 'the project'],
    ['..', 'the folder above'],
    ['/srv/git/led\u0007ger.git', 'a control character'],
    ['https://git.example.com/x\nfetch', 'a line break'],
    ['https://git.example.com/x\u202ey', 'an invisible character'],
  ])('may not be %j: %s', (address) => {
    const { project, findings } = withAddress(address);
    expect(project).toBeNull();
    expect(findings).toMatchObject([{ code: 'ledger-address', severity: 'error', file: 'upkeep.yaml', line: 7, column: 20 }]);
    expect(findings[0]?.hint).toMatch(/\.$|^Write ssh:/);
    expect(findings[0]?.excerpt).toBeUndefined();
    expect(JSON.stringify(findings)).not.toContain(SECRET);
  });

  test('is suggested where git would take host:path for one', () => {
    const hintOf = (address: string) => withAddress(address).findings[0]?.hint;
    expect(hintOf('git@github.com:acme/ledger.git')).toBe('Write ssh://git@github.com/acme/ledger.git');
    expect(hintOf('git.example.com:~ops/ledger.git')).toBe('Write ssh://git.example.com/~ops/ledger.git');
    expect(hintOf('ada:hunter2@git.example.com:x')).toContain('Write https://HOST/PATH');
  });
});

describe('the setting `ledger`', () => {
  test.each([
    ['gti', 'invalid-value', /git/],
    ['{}', 'missing-key', /git/],
    ['{ git: 5 }', 'wrong-type', /text/],
    ['{ git: "" }', 'out-of-range', /1/],
    ['{ url: ../x }', 'missing-key', /git/],
    ['{ git: ../x, branch: main }', 'unknown-key', /branch/],
    ['[git]', 'wrong-type', /./],
  ])('%s is a finding', (ledger, code, words) => {
    const { project, findings } = load(ledger);
    expect(project).toBeNull();
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(JSON.stringify(findings)).toMatch(words);
  });
});
