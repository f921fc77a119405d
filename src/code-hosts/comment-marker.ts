/** The hidden first line of what upkeep writes on a code host, by which the next run finds it. */

/** What a comment or an issue is about. */
export interface Marker {
  readonly about: 'plan' | 'drift';
  /** Distinguishes the projects that share a repository: the folder of upkeep.yaml from its top, or what `--id` says. */
  readonly project: string;
  /** Empty for what concerns no target. */
  readonly target: string;
  /** The commit of the pull request that it describes; empty where that is not known, and for an issue. */
  readonly commit: string;
  readonly outdated: boolean;
}

/** Each value is percent-encoded, so that nothing in it ends the line or the HTML comment. */
const LINE = /^<!-- upkeep (plan|drift) project=([^ ]*) target=([^ ]*) commit=([^ ]*)( outdated)? -->(?:\r?\n|$)/;

/** The marker as a line. */
export function markerLine({ about, project, target, commit, outdated }: Marker): string {
  const values = `project=${encoded(project)} target=${encoded(target)} commit=${encoded(commit)}`;
  return `<!-- upkeep ${about} ${values}${outdated ? ' outdated' : ''} -->`;
}

/** The marker that a text begins with, and the text behind it; null where it begins with none. Data further down is never taken for one. */
export function markedText(body: string): { readonly marker: Marker; readonly text: string } | null {
  const [line = '', about, project = '', target = '', commit = '', outdated] = LINE.exec(body) ?? [];
  if (about !== 'plan' && about !== 'drift') return null;
  const values = [project, target, commit].map(decoded);
  const [inProject, ofTarget, atCommit] = values;
  if (inProject === undefined || ofTarget === undefined || atCommit === undefined) return null;
  const marker = { about, project: inProject, target: ofTarget, commit: atCommit, outdated: outdated !== undefined } as const;
  return { marker, text: body.slice(line.length) };
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Somebody has edited it: it is nobody's marker any more.
    return undefined;
  }
}
