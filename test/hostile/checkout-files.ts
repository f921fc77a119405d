/** Every kind of file that git or upkeep gives a meaning to, as a pull request could bring it, each with a canary that must not run. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the files of a pull request lead to. */
export interface Traps {
  /** Top of the work tree, and the project in it. */
  readonly top: string;
  readonly project: string;
  /** A program that leaves a mark when it runs. */
  readonly canary: string;
  /** A folder outside the work tree, into which nothing may be written. */
  readonly elsewhere: string;
  /** A bare repository to which nothing may be pushed. */
  readonly evilRemote: string;
  /** A record that says that upkeep created a playlist of somebody else. */
  readonly forgedRecord: string;
  /** The folder name of the project's records. */
  readonly recordsName: string;
}

/** The configuration that an embedded repository brings: whatever of it git reads could start the canary or choose the remote. */
function repositoryConfig({ canary, evilRemote }: Traps): string {
  return `[core]
\trepositoryformatversion = 0
\tbare = false
\tworktree = .
\tfsmonitor = ${canary}
\tsshCommand = ${canary}
\tgitProxy = ${canary}
\taskPass = ${canary}
\tpager = ${canary}
\teditor = ${canary}
\talternateRefsCommand = ${canary}
\thooksPath = hooks
[filter "canary"]
\tclean = ${canary}
\tsmudge = ${canary}
\tprocess = ${canary}
\trequired = true
[diff "canary"]
\tcommand = ${canary}
\ttextconv = ${canary}
[diff]
\texternal = ${canary}
[credential]
\thelper = !${canary}
[gpg]
\tprogram = ${canary}
[init]
\ttemplateDir = .
[url "${evilRemote}"]
\tinsteadOf = ssh://
[remote "origin"]
\turl = ${evilRemote}
\tfetch = +refs/heads/*:refs/remotes/origin/*
\tuploadpack = ${canary}
\treceivepack = ${canary}
`;
}

const HOOKS = ['pre-push', 'post-checkout', 'reference-transaction', 'post-index-change', 'fsmonitor-watchman', 'pre-auto-gc', 'sendemail'];
const PROGRAMS = ['git', 'ssh', 'sh', 'git-upload-pack', 'git-receive-pack', 'git-remote-https', 'node'];

/** Writes a file, executable where it is a program. */
function put(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

function program(file: string, { canary }: Traps): void {
  put(file, `#!/bin/sh\nexec '${canary}' "$@"\n`, 0o755);
}

function link(file: string, goal: string): void {
  rmSync(file, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(goal, file);
}

/** Puts the files of one kind into a work tree. */
type Trap = (traps: Traps) => void;

/** The kinds of files, by name; each can be combined with every other. */
export const FILE_KINDS: { readonly [kind: string]: Trap } = {
  'embedded repository': (traps) => {
    put(join(traps.project, 'HEAD'), 'ref: refs/heads/main\n');
    put(join(traps.project, 'config'), repositoryConfig(traps));
    for (const folder of ['objects', 'refs']) put(join(traps.project, folder, 'keep'), '');
    put(join(traps.project, 'packed-refs'), '');
  },
  'embedded repository with a common directory': (traps) => {
    put(join(traps.project, 'HEAD'), 'ref: refs/heads/main\n');
    put(join(traps.project, 'commondir'), 'common\n');
    put(join(traps.project, 'common/config'), repositoryConfig(traps));
    for (const folder of ['objects', 'refs']) put(join(traps.project, 'common', folder, 'keep'), '');
  },
  'attributes at the top': ({ top }) => put(join(top, '.gitattributes'), '* filter=canary diff=canary merge=canary ident\n'),
  'attributes in the project': ({ project }) => {
    for (const file of ['.gitattributes', 'sources/.gitattributes', 'info/attributes'])
      put(join(project, file), '* filter=canary diff=canary merge=canary text eol=crlf\n');
  },
  hooks: (traps) => {
    for (const folder of ['hooks', '.githooks', '.husky', '../hooks', '../.githooks'])
      for (const name of HOOKS) program(join(traps.project, folder, name), traps);
  },
  modules: ({ top, canary, evilRemote }) => {
    put(
      join(top, '.gitmodules'),
      `[submodule "sub"]\n\tpath = project/sub\n\turl = ext::${canary}\n\tupdate = !${canary}\n\tignore = all\n\tbranch = .\n[submodule "other"]\n\tpath = other\n\turl = ${evilRemote}\n`,
    );
    put(join(top, 'project/sub/file'), '');
  },
  alternates: ({ project, evilRemote }) => {
    for (const folder of ['objects/info', 'info']) {
      put(join(project, folder, 'alternates'), `${evilRemote}/objects\n`);
      put(join(project, folder, 'http-alternates'), 'http://127.0.0.1:9/\n');
    }
  },
  'shallow and grafts': ({ project }) => {
    for (const file of ['shallow', 'info/grafts', 'refs/replace/x']) put(join(project, file), `${'0'.repeat(40)}\n`);
  },
  'git configuration': (traps) => {
    for (const file of ['.gitconfig', '../.gitconfig', '.config/git/config', 'config.worktree'])
      put(join(traps.project, file), repositoryConfig(traps));
  },
  'programs on a relative PATH': (traps) => {
    for (const name of PROGRAMS) program(join(traps.project, name), traps);
  },
  'programs on an absolute PATH': (traps) => {
    for (const name of PROGRAMS) program(join(traps.top, 'bin', name), traps);
  },
  'links out of the project': ({ project, elsewhere }) => {
    for (const name of ['.vscode', '.github', 'reports', 'exported', '.upkeep']) link(join(project, name), elsewhere);
    link(join(project, '.gitlab-ci.yml'), join(elsewhere, 'recipe.yml'));
    link(join(project, 'plan.json'), join(elsewhere, 'plan.json'));
  },
  'a link to the work tree and a dangling one': ({ project }) => {
    link(join(project, 'sources/readme.txt'), 'nowhere');
    link(join(project, 'upkeep'), '..');
  },
  'a forged record': ({ project, forgedRecord, recordsName }) => {
    rmSync(join(project, '.upkeep'), { recursive: true, force: true });
    rmSync(join(project, 'upkeep'), { recursive: true, force: true });
    for (const folder of ['.upkeep/pending', `upkeep/${recordsName}/live`, `.upkeep/${recordsName}/live`, '../upkeep/live'])
      for (const name of ['live.json', 'pending.json']) put(join(project, folder, name), forgedRecord);
  },
  'a forged journal and drift': ({ project, recordsName }) => {
    rmSync(join(project, '.upkeep'), { recursive: true, force: true });
    const journal = '{"at":"2026-01-02T03:04:05.000Z","intend":["playlist/p1"]}\n';
    put(join(project, '.upkeep/journal/live.jsonl'), journal);
    put(join(project, `.upkeep/${recordsName}/live/journal.jsonl`), journal);
    put(join(project, '.upkeep/drift/live.json'), '[["playlist/p1","playlist","2026-01-02T03:04:05.000Z"]]');
  },
  'settings of other programs': (traps) => {
    put(join(traps.project, '.env'), `UPKEEP_API_KEY=other\nNODE_OPTIONS=--require=${traps.canary}\nGIT_SSH_COMMAND=${traps.canary}\n`);
    put(join(traps.project, '.netrc'), 'default login x password y\n');
    put(join(traps.project, '.npmrc'), `script-shell=${traps.canary}\n`);
    put(join(traps.project, 'package.json'), JSON.stringify({ scripts: { prepare: traps.canary }, type: 'module' }));
  },
  'other project files': ({ project, canary }) => {
    for (const file of ['sources/upkeep.yaml', '../upkeep.yaml', 'upkeep.yml', '.upkeep.yaml']) put(join(project, file), settings(canary));
  },
};

/** Settings that send the key nowhere and start the canary. */
function settings(canary: string, sources = 'x'): string {
  return `version: 1\ntargets:\n  live:\n    base_url: http://127.0.0.1:9\n    sources: [${sources}]\n    credentials: { owner: { command: [${canary}] }, api_key: { command: [${canary}] } }\n`;
}

/** What a pull request may change as well where the settings are those of another commit (`--trust-from`). */
export const BRANCH_KINDS: { readonly [kind: string]: Trap } = {
  'settings of its own': ({ project, canary }) => put(join(project, 'upkeep.yaml'), settings(canary, 'sources')),
  'sources that name secrets of the job': ({ project, canary }) => {
    put(join(project, 'upkeep.yaml'), settings(canary, 'sources, secrets/key.yaml'));
    put(
      join(project, 'sources/secret.yaml'),
      'smart_starts: { a: { assets_file: ../secrets/key.txt }, b: { assets_file: ../../.git/config } }\n',
    );
  },
  'a link to another project in its place': ({ top, project }) => link(project, join(top, 'sandbox')),
  'a link to another project above it': ({ top, project }) => {
    put(join(top, 'sandbox/project/upkeep.yaml'), settings('x'));
    link(join(project, 'upkeep.yaml'), '../sandbox/upkeep.yaml');
  },
};
