/** The command lines that reports, notes and hints print: each does what stands above it, no more, and can be pasted as it stands. */
/** The origin that `--only-origin` selects. */
export type SelectedOrigin = 'change' | 'drift';

/** The options of a run that a printed command repeats. */
export interface CommandScope {
  /** `--project`, as it was given. */
  readonly project?: string | undefined;
  readonly only: readonly string[];
  readonly onlyOrigin?: SelectedOrigin | undefined;
  /** `--ref`, or the entry to which `undo` goes back. */
  readonly ref?: string | undefined;
}

/** What a command is told besides. */
interface CommandWith {
  readonly target: string;
  /** The overrides, as they are written after `--allow`. */
  readonly allow?: readonly string[];
  /** Of an apply: the fingerprint that the plan must have. */
  readonly expect?: string;
}

/** Returns the arguments of a plan or an apply of what a run has planned, the program first. */
export function commandOf(
  command: 'plan' | 'apply',
  { project, only, onlyOrigin, ref }: CommandScope,
  { target, allow = [], expect }: CommandWith,
): readonly [string, ...string[]] {
  return [
    'upkeep',
    command,
    ...flags('project', [project]),
    ...flags('target', [target]),
    ...flags('only', only),
    ...flags('only-origin', [onlyOrigin]),
    ...flags('ref', [ref]),
    ...flags('allow', allow),
    ...flags('expect', [expect]),
  ];
}

const FLAGS: readonly string[] = ['project', 'target', 'only', 'only-origin', 'ref', 'allow', 'expect'].map((name) => `--${name}`);

/** Decides whether arguments are what `commandOf` returns: a plan, or an apply of nothing but the plan with a fingerprint. */
export function isPlanOrApply([program, command, ...words]: readonly string[]): boolean {
  const names = words.filter((_word, index) => index % 2 === 0);
  const isWhole = words.length % 2 === 0 && names.every((name) => FLAGS.includes(name));
  return program === 'upkeep' && isWhole && (command === 'plan' || (command === 'apply' && names.includes('--expect')));
}

/** Returns the arguments of an `undo` of the apply of an entry, the program first. */
export function undoCommand(
  { project, only }: Pick<CommandScope, 'project' | 'only'>,
  { target, entry, allow = [] }: Pick<CommandWith, 'target' | 'allow'> & { readonly entry: string },
): readonly string[] {
  return [
    ...['upkeep', 'undo', entry],
    ...flags('project', [project]),
    ...flags('target', [target]),
    ...flags('only', only),
    ...flags('allow', allow),
  ];
}

function flags(name: string, values: readonly (string | undefined)[]): readonly string[] {
  return values.flatMap((value) => (value === undefined ? [] : [`--${name}`, value]));
}

/** Returns the arguments of an `unlock` of the lock with this ID, the program first. */
export function unlockCommand({ project }: Pick<CommandScope, 'project'>, target: string, id: string): readonly [string, ...string[]] {
  return ['upkeep', 'unlock', ...flags('project', [project]), ...flags('target', [target]), ...flags('id', [id])];
}

/** Writes a command for a shell: what is no plain word is quoted, so that nothing in it is expanded. */
export function shellText(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
