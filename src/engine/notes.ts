/** Warnings that only the account or the ledger can give rise to; they stand at the declaration they concern. */
import type { Live, Note } from '../kinds/kind.ts';
import { compareText, type Finding } from '../model/finding.ts';
import { equal, type Fields, stableJson } from '../model/json.ts';
import { belongs, sectionOf } from './belong.ts';
import type { Column } from './column.ts';
import { findingAt } from './desired/findings.ts';
import type { Run } from './run.ts';
import type { Step } from './step.ts';

const RENAME = 'looks-like-rename';

/** Codes of these warnings, for `rules`. */
export const NOTE_CODES = ['adopt-gone', 'id-changes', 'left-behind', RENAME, 'drift-overwritten'];

/** The warnings about one kind. */
export function liveFindings(column: Column, steps: readonly Step[], run: Run): readonly Finding[] {
  const { seen, identified } = column;
  const own = steps.filter((step) => step.kind === column.kind);
  return findingsOf([...seen.observation.notes, ...identified.warnings, ...leftBehind(column, run), ...renames(own, column)], column, run);
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

/** A create that differs in nothing but its name from what is deleted, or from what nobody declares, looks like a rename. */
function renames(steps: readonly Step[], { kind, left }: Column): readonly Note[] {
  const created = steps.filter((step) => step.action === 'create');
  if (created.length === 0) return [];
  const deleted = steps.filter((step) => step.action === 'delete' && step.formerly === undefined);
  const bound = new Map(deleted.flatMap((step): [string, Step][] => (step.bound ? [[likeness(step), step]] : [])));
  const strangers = [...deleted.flatMap(({ bound: own, live }) => (own || !live ? [] : [live])), ...left.unmanaged];
  // Of those that are alike the least id is named, since a service may list them in any order.
  const ordered = strangers.sort((a, b) => compareText(b.id, a.id));
  const strange = new Map(ordered.map((live) => [likeness({ desired: null, live }), live]));
  return created.flatMap((step) => {
    const before = bound.get(likeness(step));
    const live = strange.get(likeness(step));
    if (before) return [moved(before.address, step.address)];
    const isRename = live && step.desired?.adoptable && kind.refuses?.(step.desired, live) === undefined;
    return isRename ? [adopted(live, step.address)] : [];
  });
}

function moved(from: string, to: string): Note {
  const summary = `${from} is deleted and ${to} created alike: is this a rename?`;
  const hint = `Then say so, and nothing is deleted: \`moved: [{ from: ${from}, to: ${to} }]\`.`;
  return { code: RENAME, address: to, summary, hint };
}

function adopted({ id, label }: Live, address: string): Note {
  const summary = `${address} is created, while nobody declares the live object ${id} (${label}), which is the same but for its name: is this a rename?`;
  const hint = `Then bind it, and nothing is created: \`adopt: { "${address}": "${id}" }\`.`;
  return { code: RENAME, address, summary, hint };
}

/** The fields of one side without the name, as text. */
function likeness({ desired, live }: Pick<Step, 'desired' | 'live'>): string {
  const fields: Fields = desired?.fields ?? live?.fields ?? {};
  const label = desired?.label ?? live?.label ?? '';
  return stableJson(Object.fromEntries(Object.entries(fields).filter(([, value]) => !equal(value, label))));
}
