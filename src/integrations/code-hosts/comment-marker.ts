/** The marker: the hidden first line of every comment and issue of upkeep, by which the next run finds it. */

/** What a comment or an issue is about. */
export interface Marker {
  readonly about: 'plan' | 'drift';
  /** Distinguishes the projects of a repository: the folder of upkeep.yaml relative to its top, or the text of `--id`. */
  readonly project: string;
  /** Null if it is about no target. */
  readonly target: string | null;
  /** The commit of the pull request that it describes; null if unknown, and for an issue. */
  readonly commit: string | null;
  readonly outdated: boolean;
}

/** Each value is percent-encoded, so that no value ends the line or the HTML comment. */
const MARKER = /^<!-- upkeep (plan|drift) project=([^ ]*) target=([^ ]*) commit=([^ ]*)( outdated)? -->(?:\r?\n|$)/;

/** Formats a marker as a line. */
export function markerLine({ about, project, target, commit, outdated }: Marker): string {
  const values = `project=${encode(project)} target=${encode(target ?? '')} commit=${encode(commit ?? '')}`;
  return `<!-- upkeep ${about} ${values}${outdated ? ' outdated' : ''} -->`;
}

/** Parses the marker at the beginning of a body; null if there is none. A marker further down is data. `text` is the rest of the body. */
export function parseMarker(body: string): { readonly marker: Marker; readonly text: string } | null {
  const [line = '', about, ...values] = MARKER.exec(body) ?? [];
  if (about !== 'plan' && about !== 'drift') return null;
  const [project, target, commit] = values.slice(0, 3).map(decode);
  if (project === undefined || target === undefined || commit === undefined) return null;
  const marker = { about, project, target: target || null, commit: commit || null, outdated: values[3] !== undefined } as const;
  return { marker, text: body.slice(line.length) };
}

function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

/** Decodes a value; undefined if somebody has edited it, so that it belongs to no marker of upkeep. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
