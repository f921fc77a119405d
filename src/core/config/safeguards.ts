/**
 * The settings of upkeep.yaml that hold changes back, and which of them an edit lowers (design section 4, rule 13). A review lists these first:
 * once they are merged, less is checked.
 */
import { devicesOf } from '../device-impact/declared-devices.ts';
import { isExpected } from '../device-impact/device.ts';
import { groupBy } from '../model/collections.ts';
import { type Finding, LOWERED_CODE, type SourcePosition } from '../model/finding.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject, type Path } from '../model/json.ts';
import { findingAt } from './findings.ts';
import type { Project, SeverityRule, Target } from './project.ts';

/** The values of a setting that holds changes back, by its path in upkeep.yaml; null where it is not set. */
type Values = ReadonlyMap<string, { readonly path: Path; readonly value: Json }>;

/** Whether an edit of a setting holds less back; `unknown` where that cannot be told from the values. */
type Lowers = boolean | 'unknown';

/** A setting that holds changes back. */
interface Safeguard<Scope> {
  /** Returns its values: one, or one for each member. */
  valuesIn(scope: Scope): readonly (readonly [Path, Json])[];
  /** Compares two different values; null is a value that is not set. */
  lowers(before: Json, after: Json): Lowers;
}

/** Compares by an order, the lowest value first. */
const ranked =
  (...order: readonly Json[]) =>
  (before: Json, after: Json): Lowers =>
    order.indexOf(after) < order.indexOf(before);

/** Compares what loses its meaning where it is removed, and may gain or lose some where it is changed. */
const removedOrChanged = (before: Json, after: Json): Lowers => before !== null && (after === null || 'unknown');
const raised = (before: Json, after: Json): Lowers => typeof before === 'number' && typeof after === 'number' && after > before;
const reduced = (before: Json, after: Json): Lowers => raised(after, before);
const loses = (before: Json, after: Json): Lowers => hasMore(before, after);
const gains = (before: Json, after: Json): Lowers => hasMore(after, before);

/** Decides whether a list has an item that the other one lacks. A list that is not set has none. */
function hasMore(list: Json, other: Json): boolean {
  const items = new Set(isList(other) ? other : []);
  return isList(list) && list.some((item) => !items.has(item));
}

/** The settings of a whole project. */
const OF_PROJECT: readonly Safeguard<Project>[] = [
  {
    valuesIn: ({ guards }) => guards.map(({ id, verdict, conditions }) => [['guards', id], `${verdict}: ${conditions.join(' && ')}`]),
    lowers: (before, after) => (isSameGuardThatDenies(before, after) ? false : removedOrChanged(before, after)),
  },
  {
    valuesIn: (project) =>
      devicesOf(project).flatMap(({ id, name: _name, ...device }): [Path, Json][] =>
        isExpected({ id, name: id, ...device }) ? [[['devices', id], { ...device }]] : [],
      ),
    lowers: removedOrChanged,
  },
];

/** The settings of a whole project of which an edit can add any number. */
const RULES: readonly Safeguard<Project>[] = [
  {
    valuesIn: ({ rules }) =>
      [...groupBy(inEffect(rules), ({ code }) => code)].map(([code, ofCode]) => [['rules', code], severitiesOf(ofCode)]),
    lowers: lowersSeverities,
  },
  {
    valuesIn: ({ rules }) =>
      inEffect(rules).flatMap(({ code, address, withinMs }): [Path, Json][] =>
        withinMs === null ? [] : [[['rules', code, 'within', ...(address === null ? [] : [address])], withinMs / 3_600_000]],
      ),
    lowers: (before, after) => (typeof before === 'number' && typeof after === 'number' ? after < before : 'unknown'),
  },
];

/** The settings of a target, with paths below it. */
const OF_TARGET: readonly Safeguard<Target>[] = [
  { valuesIn: ({ protect }) => [[['protect'], [...protect]]], lowers: loses },
  { valuesIn: ({ limits }) => [[['limits', 'delete', 'count'], limits.delete.count]], lowers: raised },
  { valuesIn: ({ limits }) => [[['limits', 'delete', 'percent'], limits.delete.percent]], lowers: raised },
  { valuesIn: ({ limits }) => [[['limits', 'update', 'percent'], limits.update.percent]], lowers: raised },
  { valuesIn: ({ limits }) => [[['limits', 'off_air', 'count'], limits.offAir.count]], lowers: raised },
  { valuesIn: ({ limits }) => [[['limits', 'off_air', 'percent'], limits.offAir.percent]], lowers: raised },
  {
    valuesIn: ({ manages }) => [[['manages'], manages && [...manages]]],
    lowers: (before, after) => before !== null && (after === null || gains(before, after)),
  },
  { valuesIn: ({ weakening }) => [[['weakening'], weakening]], lowers: ranked('allow', 'block') },
  { valuesIn: ({ playbackLoss }) => [[['playback_loss'], playbackLoss]], lowers: ranked('allow', 'block', 'strict') },
  { valuesIn: ({ ownership }) => [[['ownership'], ownership]], lowers: ranked('exclusive', 'shared', 'observe') },
  { valuesIn: ({ branch }) => [[['branch'], branch]], lowers: removedOrChanged },
  { valuesIn: ({ after }) => [[['after'], [...after]]], lowers: loses },
  { valuesIn: ({ soakMs }) => [[['soak'], soakMs / 3_600_000]], lowers: reduced },
  { valuesIn: ({ ledger }) => [[['ledger'], ledger === 'none' ? 'none' : 'git']], lowers: ranked('none', 'git') },
  { valuesIn: ({ ignoreChanges }) => [[['ignore_changes', 'allowed'], ignoreChanges.allowed]], lowers: ranked(true, false) },
  { valuesIn: ({ ignoreChanges }) => [[['ignore_changes', 'risky_edits'], [...ignoreChanges.acceptRiskyEditsAt]]], lowers: gains },
  { valuesIn: ({ service }) => [[['service', 'resettable_members'], [...service.resettableMembers]]], lowers: gains },
  {
    valuesIn: ({ check }) => Object.entries(check).map(([references, isChecked]) => [['check', references], isChecked]),
    lowers: ranked(false, true),
  },
];

/**
 * Returns a finding for each setting that holds less back in `after` than in `before`: those of the whole project, and those of the target of
 * this name. `positionOf` returns the position in `after` of a path, or of what is left of it.
 */
export function loweredSafeguards(
  before: Project,
  after: Project,
  target: string,
  positionOf: (path: Path) => SourcePosition,
): readonly Finding[] {
  const positionIn = (path: Path): SourcePosition => {
    const [section, id] = path;
    if (section === 'rules') return positionOf(after.rules.findLast(({ code }) => code === id)?.path ?? [section]);
    if (section !== 'guards') return positionOf(path);
    return after.guards.find((guard) => guard.id === id)?.position() ?? positionOf([section]);
  };
  const removed = before.targets.filter(({ name }) => !after.targets.some((each) => each.name === name));
  const [targetBefore, targetAfter] = [before, after].map(({ targets }) => targets.find(({ name }) => name === target));
  return [
    ...removed.map(({ name }) => {
      const path = ['targets', name];
      return lowered(path, `\`${path.join('.')}\` is removed: nothing looks at its account any more`, positionIn);
    }),
    ...addedFor(before, after).map(({ name, baseUrl }) => {
      const path = ['targets', name];
      return lowered(path, `\`${path.join('.')}\` is another target at ${baseUrl}: its own settings hold back what it changes`, positionIn);
    }),
    ...OF_PROJECT.flatMap((safeguard) => compare(safeguard, before, after, [], positionIn)),
    ...firstOf(RULES.flatMap((safeguard) => compare(safeguard, before, after, [], positionIn))),
    ...(targetBefore && targetAfter
      ? OF_TARGET.flatMap((safeguard) => compare(safeguard, targetBefore, targetAfter, ['targets', target], positionIn))
      : []),
  ];
}

/** Returns the targets that are new, at the address of one that there was. */
function addedFor(before: Project, after: Project): readonly Target[] {
  return after.targets.filter(
    ({ name, baseUrl }) => !before.targets.some((each) => each.name === name) && before.targets.some((each) => each.baseUrl === baseUrl),
  );
}

/** Maximum number of findings about `rules`: they must not hide the others. */
const MAX_RULES = 20;

function firstOf(rules: readonly Finding[]): readonly Finding[] {
  const last = rules[MAX_RULES - 1];
  if (last === undefined || rules.length === MAX_RULES) return rules;
  const others = { ...last, summary: `\`rules\` has ${rules.length - MAX_RULES + 1} more edits that may hold less back` };
  return [...rules.slice(0, MAX_RULES - 1), others];
}

function compare<Scope>(
  { valuesIn, lowers }: Safeguard<Scope>,
  before: Scope,
  after: Scope,
  scope: Path,
  positionOf: (path: Path) => SourcePosition,
): readonly Finding[] {
  const [old, now] = [before, after].map((each): Values => {
    return new Map(valuesIn(each).map(([path, value]) => [path.join('.'), { path: [...scope, ...path], value }]));
  });
  const paths = new Map([...(old ?? []), ...(now ?? [])].map(([name, { path }]) => [name, path]));
  return [...paths].flatMap(([name, path]) => {
    const [from, to] = [old?.get(name)?.value ?? null, now?.get(name)?.value ?? null];
    const isLowered = !equal(from, to) && lowers(from, to);
    if (isLowered === false) return [];
    const verb = isLowered === 'unknown' ? 'may hold' : 'holds';
    return [lowered(path, `\`${path.join('.')}\` ${verb} less back: before ${shown(from)}, now ${shown(to)}`, positionOf)];
  });
}

function inEffect(rules: readonly SeverityRule[]): readonly SeverityRule[] {
  return rules.filter(({ isExpired }) => !isExpired);
}

/** Returns the severity that the rules for a code set; where they have places, each of them with its place, in their order. */
function severitiesOf(rules: readonly SeverityRule[]): Json {
  const entries = rules.map(({ severity, address, file, until }) => ({
    severity,
    ...(address === null ? {} : { address }),
    ...(file === null ? {} : { file }),
    ...(until === null ? {} : { until }),
  }));
  const [first, second] = entries;
  return first !== undefined && second === undefined && Object.keys(first).length === 1 ? first.severity : entries;
}

/** Compares what the rules for a code set, everywhere or at places. */
function lowersSeverities(before: Json, after: Json): Lowers {
  if (!isList(before) && !isList(after)) return lowersSeverity(before, after);
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const removed = old.filter((entry) => !now.some((each) => equal(each, entry)));
  const added = now.filter((entry) => !old.some((each) => equal(each, entry) || endsSooner(each, entry)));
  const isLower = ({ severity, ...place }: JsonObject) =>
    severity === 'off' || removed.some((each) => isAt(each, place) && ranked('warning', 'error')(each.severity ?? null, severity ?? null));
  if (added.some(isLower)) return true;
  const kept = (entries: readonly JsonObject[], others: readonly JsonObject[]) =>
    entries.filter((entry) => others.some((each) => equal(each, entry)));
  const isSameOrder = equal(kept(old, now), kept(now, old));
  const isStricter = removed.every(({ severity }) => severity === 'off') && added.every(({ severity }) => severity === 'error');
  return isSameOrder && isStricter ? false : 'unknown';
}

function entriesOf(value: Json): readonly JsonObject[] {
  if (isList(value)) return value.filter(isJsonObject);
  return value === null ? [] : [{ severity: value }];
}

function isAt({ address = null, file = null }: JsonObject, place: JsonObject): boolean {
  return address === (place.address ?? null) && file === (place.file ?? null);
}

/** Decides whether an entry says the same as an earlier one, and ends sooner. */
function endsSooner({ until: old, ...before }: JsonObject, { until: now, ...after }: JsonObject): boolean {
  return equal(before, after) && typeof now === 'string' && (old === undefined || (typeof old === 'string' && now < old));
}

/** Compares severities. Without a rule, a finding has its own severity, which is one of the two that are reported. */
function lowersSeverity(before: Json, after: Json): Lowers {
  if (before === null) return after === 'off' || (after === 'warning' && 'unknown');
  if (after === null) return before === 'error' && 'unknown';
  return ranked('off', 'warning', 'error')(before, after);
}

/** Decides whether a guard only became stricter: it warned, and now denies in the same cases. */
function isSameGuardThatDenies(before: Json, after: Json): boolean {
  return typeof before === 'string' && before.startsWith('warn: ') && after === before.replace('warn', 'deny');
}

/** Maximum length of a value in a finding, characters. */
const MAX_VALUE_LENGTH = 200;

function shown(value: Json): string {
  if (value === null) return 'not set';
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  const text = whole.length > MAX_VALUE_LENGTH ? `${whole.slice(0, MAX_VALUE_LENGTH)}...` : whole;
  return text.includes('`') ? text : `\`${text}\``;
}

function lowered(path: Path, summary: string, positionOf: (path: Path) => SourcePosition): Finding {
  const hint = 'It counts once it is merged: then less is checked. Ask for the reason.';
  const { file, line, column } = positionOf(path);
  return findingAt({ file, line, column }, { severity: 'warning', code: LOWERED_CODE, summary, hint });
}
