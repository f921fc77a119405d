/** Warnings that depend on the live account or the ledger. Each is located at the declaration that it concerns. */

import { findingAt } from '../config/findings.ts';
import { isSwitchedOff, withSeverity } from '../config/severity-rules.ts';
import {
  type AddressedChange,
  type CollectionKind,
  isLiveObject,
  type LiveObject,
  type LiveWarning,
  type SettingKind,
} from '../kinds/kind.ts';
import { sectionOfAddress } from '../model/address.ts';
import { writesOnService } from '../model/change.ts';
import { commandOf, shellText } from '../model/command-line.ts';
import { compareStrings, type Finding } from '../model/finding.ts';
import { type JsonObject, stableJson } from '../model/json.ts';
import { resetMembers } from '../safety/reset-members.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { PlanInput } from './input.ts';
import { type CollectionState, isCollectionState, type KindState } from './kind-state.ts';

const ID_CHANGES_CODE = 'id-changes';
/** A declaration that got another address, without `moved` or `adopt`: the object would be created anew. */
const RENAME_CODE = 'looks-like-rename';

/** Returns the warnings about one kind. */
export function liveWarnings(kindState: KindState, planned: readonly PlannedChange[], input: PlanInput): readonly Finding[] {
  const { read, match } = kindState;
  const ofKind = planned.filter(({ kind }) => kind === kindState.kind);
  const ofCollection = isCollectionState(kindState)
    ? [...renameWarnings(ofKind, kindState), ...notDeclarableWarnings(kindState, input), ...earlierApplyWarnings(ofKind, kindState, input)]
    : [];
  const ofTime = kindState.kind.timeWarnings?.(read.result.objects, input.now()) ?? [];
  return warningsToFindings(
    [...read.result.warnings, ...ofTime, ...match.warnings, ...absentSectionWarnings(kindState, input), ...ofCollection],
    kindState,
    input,
  );
}

/**
 * Returns the warnings about what the selected changes of a kind do or do not do beside the fields that they show, and one for each update
 * that may reset members of the service.
 */
export function followUpWarnings(kindState: KindState, planned: readonly PlannedChange[], input: PlanInput): readonly Finding[] {
  const warnings = kindState.kind.followUpWarnings?.(writesOf(kindState, planned, input)) ?? [];
  const resets = planned.filter(({ kind }) => kind === kindState.kind).flatMap((each) => resetWarning(each, input));
  return warningsToFindings([...warnings, ...resets], kindState, input);
}

/** Names the members that an update may reset, with their live values, because `service.resettable_members` accepts that. */
function resetWarning({ kind, change, live }: PlannedChange, { selection, target }: PlanInput): readonly LiveWarning[] {
  if (change.action !== 'update' || live === null || !selection.has(change)) return [];
  const { accepted } = resetMembers(kind, live, change.fields, target.service.resettableMembers);
  if (accepted.length === 0) return [];
  const values = accepted.map(({ path, value }) => `${path} = ${JSON.stringify(value)}`).join(', ');
  const summary = `the update may reset members that upkeep does not know: ${values}`;
  const hint = `\`service.resettable_members\` of target ${target.name} accepts that.`;
  return [{ code: 'member-reset', address: change.address, summary, hint }];
}

/** Returns the warnings that stand beside single selected changes of a kind. */
export function changeWarnings(kindState: KindState, planned: readonly PlannedChange[], input: PlanInput): readonly Finding[] {
  const { kind, read } = kindState;
  const warnings = kind.changeWarnings?.(writesOf(kindState, planned, input), read.result.objects) ?? [];
  return warningsToFindings(warnings, kindState, input);
}

/** Returns the selected changes of a kind that write on the service, by address. */
function writesOf({ kind }: KindState, planned: readonly PlannedChange[], input: PlanInput): readonly AddressedChange[] {
  const changes = planned
    .filter((each) => each.kind === kind && writesOnService(each.change) && input.selection.has(each.change))
    .map(({ change: { address, action, fields }, live, desired }) => ({ address, action, before: live, after: desired, fields }));
  return changes.toSorted((a, b) => compareStrings(a.address, b.address));
}

/** Converts warnings to findings with the severity that `rules` assigns. */
export function warningsToFindings(
  warnings: readonly LiveWarning[],
  { kind, resources }: Pick<KindState, 'kind' | 'resources'>,
  input: PlanInput,
): readonly Finding[] {
  const paths = new Map(resources.map((resource) => [resource.address, resource.path]));
  return warnings.flatMap((warning): readonly Finding[] => {
    if (isSwitchedOff(warning.code, input.severityRules)) return [];
    const location = input.desiredState.positionOf(paths.get(warning.address) ?? [kind.sections[0]?.key ?? kind.name]);
    return withSeverity(findingAt(location, { ...warning, severity: 'warning' }), input.severityRules);
  });
}

/**
 * Names what going back to an earlier apply does not restore: the remote ID of an object that is gone, and the values of an object that was
 * adopted since.
 */
function earlierApplyWarnings(
  planned: readonly PlannedChange[],
  { resources, read, match }: CollectionState,
  { earlierBindings, ledgerState }: PlanInput,
): readonly LiveWarning[] {
  if (earlierBindings === null || read.status !== 'complete') return [];
  const warned = new Set(match.warnings.filter(({ code }) => code === ID_CHANGES_CODE).map(({ address }) => address));
  const otherIds = resources.flatMap(({ address, matchKeys }): LiveWarning[] => {
    const id = match.liveByAddress.get(address)?.id;
    const earlierId = earlierBindings.get(address)?.id;
    const isSame = id === undefined ? matchKeys.some((key) => 'id' in key && key.id === earlierId) : id === earlierId;
    if (earlierId === undefined || isSame || warned.has(address)) return [];
    const summary = `the object that ${address} had at the apply of \`--ref\`, ${earlierId}, is not restored: ${id === undefined ? 'a new one is created, with another ID' : `it is ${id} now`}`;
    return [{ code: ID_CHANGES_CODE, address, summary, hint: 'What refers to the former ID, such as a playback URL, must be changed.' }];
  });
  const bindings = [...(ledgerState?.bindings.values() ?? [])];
  const adoptedIds = new Set(bindings.filter(({ origin }) => origin === 'adopted').map(({ id }) => id));
  const kept = planned.flatMap(({ change, live }): LiveWarning[] => {
    if (change.action !== 'forget' || live === null || live.id === null || !adoptedIds.has(live.id)) return [];
    const summary = `${live.id} (${live.remoteName}) was adopted by an apply that is undone: it stays, with the values that it has now`;
    const hint = 'The values that it had before are not known. Set them by hand, or declare them.';
    return [{ code: 'undone-adoption', address: change.address, summary, hint }];
  });
  return [...otherIds, ...kept];
}

/**
 * Warns of an absent section whose resources the ledger still binds, or whose setting was applied. Nothing of it is deleted.
 */
function absentSectionWarnings({ kind }: KindState, input: PlanInput): readonly LiveWarning[] {
  if (kind.type === 'setting') return absentSettingWarnings(kind, input);
  const absent = kind.sections.filter(({ key }) => !input.desiredState.presentKeys.has(key));
  return absent.flatMap(({ key }) => {
    const bound = [...(input.ledgerState?.bindings.keys() ?? [])].filter((address) => sectionOfAddress(kind, address) === key);
    const hint = `To delete them, write \`${key}: {}\`. To forget them instead, also name them under \`removed\`.`;
    const summary = `\`${key}\` is not declared any more: ${bound.length} of its objects that were applied are left as they are`;
    return bound.length === 0 ? [] : [{ code: 'section-removed', address: bound[0] ?? kind.name, summary, hint }];
  });
}

function absentSettingWarnings(
  { name, sections: [section] }: SettingKind,
  { desiredState, lastApplied }: PlanInput,
): readonly LiveWarning[] {
  if (!section || desiredState.presentKeys.has(section.key) || !lastApplied?.resources.has(name)) return [];
  const summary = `\`${section.key}\` is not declared any more: the setting is left as it was applied`;
  return [{ code: 'section-removed', address: name, summary, hint: 'To change it, declare it, or set it by hand.' }];
}

/** Warns of a create that differs only in its name from an object that is deleted or undeclared: it is probably a rename. */
function renameWarnings(planned: readonly PlannedChange[], { kind, pruning }: CollectionState): readonly LiveWarning[] {
  const created = planned.flatMap(({ change, desired }) => (change.action === 'create' && desired ? [desired] : []));
  if (created.length === 0) return [];
  const deleted = planned.flatMap(({ change, live, isDeletedAsBound, replacementAddress }) =>
    change.action === 'delete' && live && isLiveObject(live) && replacementAddress === undefined
      ? [{ change, live, isDeletedAsBound }]
      : [],
  );
  const boundByFields = new Map(
    deleted.flatMap(({ change, live, isDeletedAsBound }) =>
      isDeletedAsBound ? [[fieldsWithoutName(kind, live), change.address] as const] : [],
    ),
  );
  const unbound = [...deleted.filter(({ isDeletedAsBound }) => !isDeletedAsBound).map(({ live }) => live), ...pruning.kept];
  // A service may list equal objects in any order. They are sorted by descending ID, so that the map keeps the one with the lowest ID.
  const sorted = unbound.sort((a, b) => compareStrings(b.id, a.id));
  const unboundByFields = new Map(sorted.map((live) => [fieldsWithoutName(kind, live), live]));
  return created.flatMap((desired) => {
    const { address } = desired;
    const deletedAddress = boundByFields.get(fieldsWithoutName(kind, desired));
    const live = unboundByFields.get(fieldsWithoutName(kind, desired));
    if (deletedAddress !== undefined) return [moveHint(deletedAddress, address)];
    const isRename = live && desired.mayMatchByBinding && kind.whyNotBindable?.(desired, live) === undefined;
    return isRename ? [adoptHint(live, address)] : [];
  });
}

/** Warns of the selected objects that `exclusive` ownership keeps because no configuration can declare them. */
function notDeclarableWarnings({ kind, pruning }: CollectionState, { selection, target, commandScope }: PlanInput): readonly LiveWarning[] {
  return pruning.notDeclarable.flatMap(({ live, reason }) => {
    const address = kind.idAddress(live);
    if (!selection.has({ address })) return [];
    const name = live.remoteName === '' ? '' : ` (${live.remoteName})`;
    const summary = `${address}${name} is not declared, and is not deleted, because no configuration can declare it: ${reason}`;
    const scope = commandScope && { project: commandScope.project, only: [address] };
    const command = scope && shellText(commandOf('plan', scope, { target: target.name, allow: [`deletes=${address}`] }));
    const toDelete = command === null ? '' : `To delete it, begin with \`${command}\`. `;
    const hint = `${toDelete}To keep it without this warning, write \`removed: [${address}]\`.`;
    return [{ code: 'cannot-be-declared', address, summary, hint }];
  });
}

function moveHint(from: string, to: string): LiveWarning {
  const summary = `${from} is deleted and ${to} is created with the same fields: is this a rename?`;
  const hint = `If so, declare it, and nothing is deleted: \`moved: [{ from: ${from}, to: ${to} }]\`.`;
  return { code: RENAME_CODE, address: to, summary, hint };
}

function adoptHint({ id, remoteName }: LiveObject, address: string): LiveWarning {
  const summary = `${address} is created, and the undeclared live object ${id} (${remoteName}) differs only in its name: is this a rename?`;
  const hint = `If so, bind it, and nothing is created: \`adopt: { "${address}": "${id}" }\`.`;
  return { code: RENAME_CODE, address, summary, hint };
}

/** Returns the fields without the remote name, as text that can be compared. */
function fieldsWithoutName({ remoteNameField }: CollectionKind, { fields }: { readonly fields: JsonObject }): string {
  const { [remoteNameField]: _, ...rest } = fields;
  return stableJson(rest);
}
