/** Warnings that only the account or the ledger can give rise to; they stand at the declaration they concern. */
import type { Note } from '../kinds/kind.ts';
import type { Finding } from '../model/finding.ts';
import { equal, type Fields, stableJson } from '../model/json.ts';
import { belongs, sectionOf } from './belong.ts';
import type { Column } from './column.ts';
import { findingAt } from './desired/findings.ts';
import type { Run } from './run.ts';
import type { Step } from './step.ts';

/** Codes of these warnings, for `rules`. */
export const NOTE_CODES = ['adopt-gone', 'id-changes', 'left-behind', 'looks-like-rename', 'drift-overwritten'];

/** The warnings about one kind. */
export function liveFindings(column: Column, steps: readonly Step[], run: Run): readonly Finding[] {
  const { seen, identified } = column;
  const own = steps.filter((step) => step.kind === column.kind);
  return findingsOf([...seen.observation.notes, ...identified.warnings, ...leftBehind(column, run), ...renames(own)], column, run);
}

/** Notes as findings, with the severity that the rules give them. */
export function findingsOf(notes: readonly Note[], { kind, resources }: Pick<Column, 'kind' | 'resources'>, run: Run): readonly Finding[] {
  const paths = new Map(resources.map((resource) => [resource.address, resource.path]));
  return notes.flatMap((note): Finding[] => {
    const severity = run.rules[note.code] ?? 'warning';
    if (severity === 'off') return [];
    const place = run.declaration.place(paths.get(note.address) ?? [kind.sections[0]?.key ?? kind.name]);
    return [findingAt(place, { ...note, severity })];
  });
}

/** What the ledger knows under a section that is no longer present: it is neither read nor deleted, only counted. */
function leftBehind({ kind }: Column, run: Run): readonly Note[] {
  const absent = kind.sections.filter((section) => section.manages && !run.declaration.present.has(section.key));
  return absent.flatMap(({ key }) => {
    const left = [...(run.memory?.bindings.keys() ?? [])].filter((address) => belongs(kind, address) && sectionOf(kind, address) === key);
    const hint = `Write \`${key}: {}\` to have them deleted; name them under \`removed\` as well to have them forgotten instead.`;
    const summary = `\`${key}\` is not declared any more: ${left.length} of its objects that were applied are left as they are`;
    return left.length === 0 ? [] : [{ code: 'left-behind', address: left[0] ?? kind.name, summary, hint }];
  });
}

/** A delete and a create that differ in nothing but their name look like one rename. */
function renames(steps: readonly Step[]): readonly Note[] {
  const deleted = steps.filter((step) => step.action === 'delete' && step.bound && step.formerly === undefined);
  const gone = new Map(deleted.map((step) => [likeness(step), step]));
  return steps.flatMap((step) => {
    const before = step.action === 'create' ? gone.get(likeness(step)) : undefined;
    if (!before) return [];
    const summary = `${before.address} is deleted and ${step.address} created alike: is this a rename?`;
    const hint = `Then say so, and nothing is deleted: \`moved: [{ from: ${before.address}, to: ${step.address} }]\`.`;
    return [{ code: 'looks-like-rename', address: step.address, summary, hint }];
  });
}

/** The fields of a step without the name, as text. */
function likeness({ desired, live }: Step): string {
  const fields: Fields = desired?.fields ?? live?.fields ?? {};
  const label = desired?.label ?? live?.label ?? '';
  return stableJson(Object.fromEntries(Object.entries(fields).filter(([, value]) => !equal(value, label))));
}
