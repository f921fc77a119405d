/** Warnings that only the account or the ledger can give rise to; they stand at the declaration they concern. */

import { findingAt } from '../config/findings.ts';
import type { LiveNote, LiveResource } from '../kinds/kind.ts';
import { compareStrings, type Finding } from '../model/finding.ts';
import { equal, type JsonObject, stableJson } from '../model/json.ts';
import type { ChangeDraft } from '../state/change-draft.ts';
import { isAddressOf, sectionOf } from '../state/ownership.ts';
import type { PlanInput } from './input.ts';
import type { KindState } from './kind-state.ts';

const RENAME = 'looks-like-rename';

/** The warnings about one kind. */
export function liveWarnings(kindState: KindState, drafts: readonly ChangeDraft[], input: PlanInput): readonly Finding[] {
  const { read, match } = kindState;
  const own = drafts.filter((draft) => draft.kind === kindState.kind);
  return notesToFindings(
    [...read.result.notes, ...match.warnings, ...abandonedSection(kindState, input), ...renames(own, kindState)],
    kindState,
    input,
  );
}

/** Notes as findings, with the severity that the rules give them. */
export function notesToFindings(
  notes: readonly LiveNote[],
  { kind, resources }: Pick<KindState, 'kind' | 'resources'>,
  input: PlanInput,
): readonly Finding[] {
  const paths = new Map(resources.map((resource) => [resource.address, resource.path]));
  return notes.flatMap((note): Finding[] => {
    const severity = input.rules[note.code] ?? 'warning';
    if (severity === 'off') return [];
    const place = input.desiredState.sourceOf(paths.get(note.address) ?? [kind.sections[0]?.key ?? kind.name]);
    return [findingAt(place, { ...note, severity })];
  });
}

/** What the ledger knows under a section that is no longer present: it is neither read nor deleted, only counted. */
function abandonedSection({ kind }: KindState, input: PlanInput): readonly LiveNote[] {
  const absent = kind.sections.filter((section) => section.manages && !input.desiredState.managedSections.has(section.key));
  return absent.flatMap(({ key }) => {
    const left = [...(input.state?.bindings.keys() ?? [])].filter(
      (address) => isAddressOf(kind, address) && sectionOf(kind, address) === key,
    );
    const hint = `Write \`${key}: {}\` to have them deleted; name them under \`removed\` as well to have them forgotten instead.`;
    const summary = `\`${key}\` is not declared any more: ${left.length} of its objects that were applied are left as they are`;
    return left.length === 0 ? [] : [{ code: 'section-removed', address: left[0] ?? kind.name, summary, hint }];
  });
}

/** A create that differs in nothing but its name from what is deleted, or from what nobody declares, looks like a rename. */
function renames(drafts: readonly ChangeDraft[], { kind, unmatched }: KindState): readonly LiveNote[] {
  const created = drafts.filter((draft) => draft.action === 'create');
  if (created.length === 0) return [];
  const deleted = drafts.filter((draft) => draft.action === 'delete' && draft.previousAddress === undefined);
  const bound = new Map(deleted.flatMap((draft): [string, ChangeDraft][] => (draft.inState ? [[fieldsWithoutName(draft), draft]] : [])));
  const strangers = [...deleted.flatMap(({ inState: own, live }) => (own || !live ? [] : [live])), ...unmatched.unmanaged];
  // Of those that are alike the least id is named, since a service may list them in any order.
  const ordered = strangers.sort((a, b) => compareStrings(b.id, a.id));
  const strange = new Map(ordered.map((live) => [fieldsWithoutName({ desired: null, live }), live]));
  return created.flatMap((draft) => {
    const before = bound.get(fieldsWithoutName(draft));
    const live = strange.get(fieldsWithoutName(draft));
    if (before) return [moved(before.address, draft.address)];
    const isRename = live && draft.desired?.adoptable && kind.whyNotBindable?.(draft.desired, live) === undefined;
    return isRename ? [adopted(live, draft.address)] : [];
  });
}

function moved(from: string, to: string): LiveNote {
  const summary = `${from} is deleted and ${to} created alike: is this a rename?`;
  const hint = `Then say so, and nothing is deleted: \`moved: [{ from: ${from}, to: ${to} }]\`.`;
  return { code: RENAME, address: to, summary, hint };
}

function adopted({ id, label }: LiveResource, address: string): LiveNote {
  const summary = `${address} is created, while nobody declares the live object ${id} (${label}), which is the same but for its name: is this a rename?`;
  const hint = `Then bind it, and nothing is created: \`adopt: { "${address}": "${id}" }\`.`;
  return { code: RENAME, address, summary, hint };
}

/** The fields of one side without the name, as text. */
function fieldsWithoutName({ desired, live }: Pick<ChangeDraft, 'desired' | 'live'>): string {
  const fields: JsonObject = desired?.fields ?? live?.fields ?? {};
  const label = desired?.label ?? live?.label ?? '';
  return stableJson(Object.fromEntries(Object.entries(fields).filter(([, value]) => !equal(value, label))));
}
