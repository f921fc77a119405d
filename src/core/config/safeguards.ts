/**
 * The settings of upkeep.yaml that hold changes back, and which of them an edit lowers (design section 4, rule 13). A review lists these first:
 * once they are merged, less is checked. Every key of the schema is a safeguard here, or stands in `LOWERS_NOTHING`.
 */
import { devicesOf } from '../device-impact/declared-devices.ts';
import { type Device, isExpected } from '../device-impact/device.ts';
import { groupBy } from '../model/collections.ts';
import { parseDuration, writeDuration } from '../model/duration.ts';
import { type Finding, LOWERED_CODE, type SourcePosition } from '../model/finding.ts';
import { coversGlob } from '../model/glob.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject, type Path } from '../model/json.ts';
import { isListedAt } from '../model/member-pointers.ts';
import type { Windows } from '../windows/windows.ts';
import { allowsMore, deniesLess, windowEntries, zoneOfPatterns } from './compare-windows.ts';
import { findingAt } from './findings.ts';
import type { CredentialPair, GuardDefinition, NotificationReceiver, Project, SeverityRule, Target } from './project.ts';
import { showInline } from './yaml/syntax-nodes.ts';

/** The values of a setting that holds changes back, by its path in upkeep.yaml; null where it is not set. */
type Values = ReadonlyMap<string, { readonly path: Path; readonly value: Json }>;

/** Whether an edit of a setting holds less back; `unknown` where that cannot be told from the values. */
type Lowers = boolean | 'unknown';

/** A setting that holds changes back. */
interface Safeguard<Scope> {
  /** The keys of the schema that it compares: `*` is any name, `[]` any item. */
  readonly keys: readonly string[];
  /** Returns its values: one, or one for each member, in the form of upkeep.yaml. */
  valuesIn(scope: Scope): readonly (readonly [Path, Json])[];
  /** Compares two different values; null is a value that is not set. `scope` is the one before the edit. */
  lowers(before: Json, after: Json, scope: Scope): Lowers;
  /** Returns what a finding shows of a value. Default: all of it. */
  shown?(value: Json): Json;
  /** What follows from it, where the values do not say that: a sentence. */
  readonly consequence?: string;
}

/** Compares by an order, the lowest value first. */
const ranked =
  (...order: readonly Json[]) =>
  (before: Json, after: Json): Lowers =>
    order.indexOf(after) < order.indexOf(before);

/** Compares what loses its meaning where it is removed, and may gain or lose some where it is changed. */
const removedOrChanged = (before: Json, after: Json): Lowers => before !== null && (after === null || 'unknown');
const changed = (): Lowers => 'unknown';
const raised = (before: Json, after: Json): Lowers => typeof before === 'number' && typeof after === 'number' && after > before;
const reduced = (before: Json, after: Json): Lowers => raised(after, before);

/** Compares durations; one that is not set is none. */
const shortened = (before: Json, after: Json): Lowers => reduced(durationOf(before), durationOf(after));

function durationOf(value: Json): number {
  return typeof value === 'string' ? parseDuration(value) : 0;
}

/** Compares lists by what an item of the one covers of the other. A list that is not set has no items. */
const loses =
  (covers: (wide: string, narrow: string) => boolean) =>
  (before: Json, after: Json): Lowers => {
    const kept = textsIn(after);
    return textsIn(before).some((item) => !kept.some((each) => covers(each, item)));
  };
const gains =
  (covers: (wide: string, narrow: string) => boolean) =>
  (before: Json, after: Json): Lowers =>
    loses(covers)(after, before);

function textsIn(value: Json): readonly string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : [];
}

const isSame = (wide: string, narrow: string): boolean => wide === narrow;
/** Decides whether a JSON Pointer with `*` lists all that another one lists. */
const listsAll = (wide: string, narrow: string): boolean => wide === narrow || isListedAt(narrow, wide);

/** The windows of a project or of a target. */
const WINDOWS: readonly Safeguard<{ readonly windows: Windows }>[] = [
  {
    keys: ['from', 'until', 'cron', 'for', 'unless'].map((key) => `windows.deny[].${key}`),
    valuesIn: ({ windows }) => [[['windows', 'deny'], windowEntries(windows, 'deny')]],
    lowers: deniesLess,
  },
  {
    keys: ['from', 'until', 'cron', 'for'].map((key) => `windows.allow[].${key}`),
    valuesIn: ({ windows }) => [[['windows', 'allow'], windowEntries(windows, 'allow')]],
    lowers: allowsMore,
  },
  {
    keys: ['windows.time_zone'],
    valuesIn: ({ windows }) => [[['windows', 'time_zone'], zoneOfPatterns(windows)]],
    // Where no pattern is left, or there was none, the entries are compared, and their zone says nothing.
    lowers: (before, after) => before !== null && after !== null && 'unknown',
  },
];

const DEVICE_KEYS = [
  ...['expected', 'system', 'hdcp', 'outputs', 'offline', 'security_level', 'cgms_a'],
  ...['vmp_status', 'srm', 'desktop_browser', 'virtual_machine'],
];

/** The settings of a whole project. */
const OF_PROJECT: readonly Safeguard<Project>[] = [
  {
    keys: ['project'],
    valuesIn: ({ name }) => [[['project'], name]],
    lowers: (_before, _after, { targets }) => targets.some(({ ledger }) => ledger !== 'none') && 'unknown',
    consequence: 'Ledgers tell by this name which objects are of which project.',
  },
  ...WINDOWS,
  {
    keys: ['id', 'when', 'deny', 'warn'].map((key) => `guards[].${key}`),
    valuesIn: ({ guards }) => guards.map((guard) => [['guards', guard.id], conditionsOf(guard)]),
    lowers: (before, after) => (isSameGuardThatDenies(before, after) ? false : removedOrChanged(before, after)),
  },
  {
    keys: ['devices.*', ...DEVICE_KEYS.map((key) => `devices.*.${key}`)],
    valuesIn: (project) => devicesOf(project).map((device) => [['devices', device.id], deviceValue(device, isExpected(device))]),
    lowers: lowersDevice,
  },
  {
    keys: ['notify[].url.env', 'notify[].on', 'notify[].secret.env'],
    valuesIn: ({ notify }) => [...groupBy(notify, ({ url }) => url)].map(([url, receivers]) => [['notify', url], receiverValue(receivers)]),
    lowers: lowersReceiver,
    consequence: 'Whoever reads it is told less, or cannot tell a forged notification.',
  },
];

/** The settings of a whole project of which an edit can add any number. */
const RULES: readonly Safeguard<Project>[] = [
  {
    keys: ['rules.*', 'rules.*.level', ...['code', 'address', 'file', 'severity', 'until'].map((key) => `rules[].${key}`)],
    valuesIn: ({ rules }) =>
      [...groupBy(inEffect(rules), ({ code }) => code)].map(([code, ofCode]) => [['rules', code], severitiesOf(ofCode)]),
    lowers: lowersSeverities,
  },
  {
    keys: ['rules.*.within', 'rules[].within'],
    valuesIn: ({ rules }) =>
      inEffect(rules).flatMap(({ code, address, withinMs }): [Path, Json][] =>
        withinMs === null ? [] : [[['rules', code, 'within', ...(address === null ? [] : [address])], writeDuration(withinMs)]],
      ),
    lowers: (before, after) => (before === null || after === null ? 'unknown' : shortened(before, after)),
  },
];

const CREDENTIAL_KEYS = ['', 'read.', 'write.'].flatMap((purpose) =>
  ['owner', 'api_key', 'scoped_key'].flatMap((role) => ['env', 'file', 'command'].map((form) => `credentials.${purpose}${role}.${form}`)),
);

/** The settings of a target, with keys and paths below it. */
const OF_TARGET: readonly Safeguard<Target>[] = [
  {
    keys: ['base_url'],
    valuesIn: ({ baseUrl }) => [[['base_url'], baseUrl]],
    lowers: changed,
    consequence: 'Requests and keys go there, and what the ledger records is of the service at the old address.',
  },
  {
    keys: CREDENTIAL_KEYS,
    valuesIn: ({ credentials }) => [[['credentials'], credentialsValue(credentials)]],
    lowers: lowersCredentials,
    shown: withoutArguments,
    consequence: 'It may be another account, or a key that may do more.',
  },
  {
    keys: ['ledger', 'ledger.git'],
    valuesIn: ({ ledger }) => [[['ledger'], ledger]],
    lowers: (before, after) => before !== 'none' && (after === 'none' || 'unknown'),
    consequence: 'Without the entries that it has now, it is as before a first apply, where neither `identity` nor `rollback` holds.',
  },
  {
    keys: ['remote'],
    valuesIn: ({ remote }) => [[['remote'], remote]],
    lowers: changed,
    consequence: 'It may be another repository: `branch` is looked up there, and with `ledger: git` it holds the ledger and the lock.',
  },
  ...WINDOWS,
  { keys: ['protect'], valuesIn: ({ protect }) => [[['protect'], [...protect]]], lowers: loses(coversGlob) },
  { keys: ['limits.delete.count'], valuesIn: ({ limits }) => [[['limits', 'delete', 'count'], limits.delete.count]], lowers: raised },
  { keys: ['limits.delete.percent'], valuesIn: ({ limits }) => [[['limits', 'delete', 'percent'], limits.delete.percent]], lowers: raised },
  { keys: ['limits.update.percent'], valuesIn: ({ limits }) => [[['limits', 'update', 'percent'], limits.update.percent]], lowers: raised },
  { keys: ['limits.off_air.count'], valuesIn: ({ limits }) => [[['limits', 'off_air', 'count'], limits.offAir.count]], lowers: raised },
  {
    keys: ['limits.off_air.percent'],
    valuesIn: ({ limits }) => [[['limits', 'off_air', 'percent'], limits.offAir.percent]],
    lowers: raised,
  },
  {
    keys: ['manages'],
    valuesIn: ({ manages }) => [[['manages'], manages && [...manages]]],
    lowers: (before, after) => before !== null && (after === null || gains(coversGlob)(before, after)),
    consequence: 'What it names can be declared, taken over and deleted here.',
  },
  { keys: ['weakening'], valuesIn: ({ weakening }) => [[['weakening'], weakening]], lowers: ranked('allow', 'block') },
  {
    keys: ['playback_loss'],
    valuesIn: ({ playbackLoss }) => [[['playback_loss'], playbackLoss]],
    lowers: ranked('allow', 'block', 'strict'),
  },
  {
    keys: ['ownership'],
    valuesIn: ({ ownership }) => [[['ownership'], ownership]],
    lowers: ranked('exclusive', 'shared', 'observe'),
  },
  { keys: ['branch'], valuesIn: ({ branch }) => [[['branch'], branch]], lowers: removedOrChanged },
  { keys: ['after'], valuesIn: ({ after }) => [[['after'], [...after]]], lowers: loses(coversGlob) },
  { keys: ['soak'], valuesIn: ({ soakMs }) => [[['soak'], soakMs === 0 ? null : writeDuration(soakMs)]], lowers: shortened },
  {
    keys: ['ignore_changes.allowed'],
    valuesIn: ({ ignoreChanges }) => [[['ignore_changes', 'allowed'], ignoreChanges.allowed]],
    lowers: ranked(true, false),
  },
  {
    keys: ['ignore_changes.risky_edits'],
    valuesIn: ({ ignoreChanges }) => [[['ignore_changes', 'risky_edits'], [...ignoreChanges.acceptRiskyEditsAt]]],
    lowers: gains(coversGlob),
  },
  {
    keys: ['http.run_seconds'],
    valuesIn: ({ http }) => [[['http', 'run_seconds'], http.runSeconds]],
    lowers: (before, after) => before !== 0 && (after === 0 || raised(before, after)),
    consequence: 'A run sends requests until then; 0 is without an end.',
  },
  {
    keys: ['service.settle_seconds'],
    valuesIn: ({ service }) => [[['service', 'settle_seconds'], service.settleSeconds]],
    lowers: reduced,
    consequence: 'What a read does not show after this time counts as not written, and may be written again.',
  },
  {
    keys: ['service.retention_from'],
    valuesIn: ({ service }) => [[['service', 'retention_from'], service.retentionFrom]],
    lowers: ranked('unknown', 'created'),
    consequence: 'No warning says when an asset is over.',
  },
  {
    keys: ['service.asset_ready_states'],
    valuesIn: ({ service }) => [[['service', 'asset_ready_states'], service.assetReadyStates.map((state) => state.toLowerCase())]],
    lowers: gains(isSame),
  },
  {
    keys: ['service.resettable_members'],
    valuesIn: ({ service }) => [[['service', 'resettable_members'], [...service.resettableMembers]]],
    lowers: gains(listsAll),
  },
  {
    keys: ['check.assets', 'check.slicers'],
    valuesIn: ({ check }) => Object.entries(check).map(([references, isChecked]) => [['check', references], isChecked]),
    lowers: ranked(false, true),
  },
];

/** The keys of the schema that are compared as safeguards. */
export const SAFEGUARD_KEYS: readonly string[] = [
  ...[...OF_PROJECT, ...RULES].flatMap(({ keys }) => keys),
  ...OF_TARGET.flatMap(({ keys }) => keys.map((key) => `targets.*.${key}`)),
];

const FOR_PEOPLE = 'a text for people';
const DECLARES = 'says what is declared, and every change of that is in the plan';
const PACE = 'says how fast requests are sent and how long one is tried, and not which';
const FORM = 'says how a request is written, and not which';

/** The keys of the schema that hold nothing back, so that no edit of them lowers a safeguard, each with the reason. */
export const LOWERS_NOTHING: { readonly [key: string]: string } = {
  version: 'there is one version',
  'guards[].message': FOR_PEOPLE,
  'rules[].why': FOR_PEOPLE,
  'windows.deny[].why': FOR_PEOPLE,
  'windows.allow[].why': FOR_PEOPLE,
  'devices.*.name': FOR_PEOPLE,
  'notify[].format': 'the same is told in another form',
  'targets.*.windows.deny[].why': FOR_PEOPLE,
  'targets.*.windows.allow[].why': FOR_PEOPLE,
  'targets.*.sources': DECLARES,
  'targets.*.sources[].path': DECLARES,
  'targets.*.sources[].defaults.*': DECLARES,
  'targets.*.vars.*': DECLARES,
  'targets.*.http.concurrency': PACE,
  'targets.*.http.requests_per_second': PACE,
  'targets.*.http.timeout_seconds': PACE,
  'targets.*.http.give_up_seconds': PACE,
  'targets.*.http.max_body_mib': 'a larger answer is not read, so that nothing follows from it',
  'targets.*.service.v3_post': FORM,
  'targets.*.service.signature_in': FORM,
  'targets.*.service.scoped_key_v3_post': FORM,
  'targets.*.service.smart_start_batch': FORM,
  'targets.*.service.reference_api': 'the same references are checked by the other API',
};

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
    if (section === 'notify') return positionOf(['notify', after.notify.findIndex(({ url }) => url === id)]);
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

/** Returns the targets that are new, at the host and port of one that there was: a path may lead to the same account. */
function addedFor(before: Project, after: Project): readonly Target[] {
  const hosts = new Set(before.targets.map(({ baseUrl }) => new URL(baseUrl).host));
  const names = new Set(before.targets.map(({ name }) => name));
  return after.targets.filter(({ name, baseUrl }) => !names.has(name) && hosts.has(new URL(baseUrl).host));
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
  { valuesIn, lowers, shown = (value) => value, consequence }: Safeguard<Scope>,
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
    const isLowered = !equal(from, to) && lowers(from, to, before);
    if (isLowered === false) return [];
    const verb = isLowered === 'unknown' ? 'may hold' : 'holds';
    return [lowered(path, `\`${path.join('.')}\` ${verb} less back: ${sides(shown(from), shown(to))}`, positionOf, consequence)];
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

/** Returns the expressions of a guard as upkeep.yaml has them. */
function conditionsOf({ verdict, conditions }: GuardDefinition): Json {
  const [condition = '', when] = [...conditions].reverse();
  return { ...(when === undefined ? {} : { when }), [verdict]: condition };
}

/** Decides whether a guard only became stricter: it warned, and now denies in the same cases. */
function isSameGuardThatDenies(before: Json, after: Json): boolean {
  if (!isJsonObject(before) || before.warn === undefined) return false;
  const { warn, ...when } = before;
  return equal({ ...when, deny: warn }, after);
}

/** Returns a device class without its name, and whether it is expected to play. */
function deviceValue({ id: _id, name: _name, ...device }: Device, expected: boolean): Json {
  const known = Object.entries(device).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(known), expected };
}

/** Compares classes of devices. Of one that is not expected to play, only guards ask. */
function lowersDevice(before: Json, after: Json, { guards }: Project): Lowers {
  if (!isJsonObject(before)) return false;
  const isGone = !isJsonObject(after) || after.expected === false;
  if (before.expected === true) return isGone || 'unknown';
  const isOnlyExpected = isJsonObject(after) && equal({ ...before, expected: true }, after);
  return guards.length > 0 && !isOnlyExpected && 'unknown';
}

/** Returns what the receivers at one address are told together, and the key that signs it; without a key where one of them has none. */
function receiverValue(receivers: readonly NotificationReceiver[]): Json {
  const [secret = null] = receivers.map((receiver) => receiver.secret).sort((a, b) => Number(a !== null) - Number(b !== null));
  return { on: [...new Set(receivers.flatMap(({ on }) => on))], ...(secret === null ? {} : { secret: { env: secret } }) };
}

function lowersReceiver(before: Json, after: Json): Lowers {
  if (!isJsonObject(before)) return false;
  if (!isJsonObject(after) || loses(isSame)(before.on ?? null, after.on ?? null)) return true;
  const [old = null, now = null] = [before.secret, after.secret];
  return !equal(old, now) && removedOrChanged(old, now);
}

/** Returns credentials as upkeep.yaml has them. */
function credentialsValue(credentials: Target['credentials']): Json {
  return 'read' in credentials ? { read: pairValue(credentials.read), write: pairValue(credentials.write) } : pairValue(credentials);
}

function pairValue(pair: CredentialPair): JsonObject {
  return 'apiKey' in pair ? { owner: pair.owner, api_key: pair.apiKey } : { owner: pair.owner, scoped_key: pair.scopedKey };
}

/** Compares credentials: a pair of its own for reads takes nothing away, and a pair that is removed leaves one that may write to reads. */
function lowersCredentials(before: Json, after: Json): Lowers {
  const [old, now] = [pairsOf(before), pairsOf(after)];
  if (!equal(old.write, now.write)) return (isScoped(old.write) && !isScoped(now.write)) || 'unknown';
  if (equal(old.read, old.write)) return false;
  return equal(now.read, now.write) || 'unknown';
}

function pairsOf(credentials: Json): { readonly read: Json; readonly write: Json } {
  if (!isJsonObject(credentials)) return { read: null, write: null };
  const { read = credentials, write = credentials } = credentials;
  return { read, write };
}

function isScoped(pair: Json): boolean {
  return isJsonObject(pair) && pair.scoped_key !== undefined;
}

/** Returns credentials without the arguments of programs: no report shows them, because a secret may be among them. */
function withoutArguments(value: Json): Json {
  if (isList(value)) return value.length < 2 ? value : [value[0] ?? null, '...'];
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutArguments(each)]));
}

/** Maximum length of a value in a finding, and of a list of which all is shown, characters. */
const MAX_VALUE_LENGTH = 200;
const MAX_LIST_LENGTH = 100;

/** Writes a value before and after an edit, as YAML. What is the same on both sides is left out of maps, and of lists that are too long. */
function sides(from: Json, to: Json): string {
  if (isJsonObject(from) && isJsonObject(to)) return bothSides(inYaml(without(from, to)), inYaml(without(to, from)));
  const texts = [inYaml(from), inYaml(to)] as const;
  if (!isList(from) || !isList(to) || texts.every((text) => (text ?? '').length <= MAX_LIST_LENGTH)) return bothSides(...texts);
  const lacking = (list: readonly Json[], other: readonly Json[]) => list.filter((item) => !other.some((each) => equal(each, item)));
  const [removed, added] = [lacking(from, to), lacking(to, from)];
  if (removed.length + added.length === 0) return bothSides(...texts);
  return `before ${withOthers(removed, from.length)}, now ${withOthers(added, to.length)}`;
}

/** Returns the members of a map that another one lacks, or has with other values. */
function without(map: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([key, value]) => !equal(value, other[key])));
}

/** Writes some items of a list, and counts the others. */
function withOthers(items: readonly Json[], total: number): string {
  const others = total - items.length;
  const counted = others === 1 ? '1 other' : `${others} others`;
  if (items.length === 0 && others > 0) return counted;
  return quoted(cut(showInline(items), 0)) + (others > 0 ? ` and ${counted}` : '');
}

/** Joins two texts. Of long ones, the part is shown where they begin to differ. */
function bothSides(from: string | null, to: string | null): string {
  if (from === to) return 'other arguments, which no report shows';
  const [a, b] = [from ?? '', to ?? ''];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const start = Math.max(a.length, b.length) > MAX_VALUE_LENGTH ? Math.max(0, same - MAX_VALUE_LENGTH / 4) : 0;
  const shown = (text: string | null) => (text === null ? 'not set' : quoted(cut(text, start)));
  return `before ${shown(from)}, now ${shown(to)}`;
}

/** Returns the part of a text that begins at an offset, with dots where something is left out. */
function cut(text: string, start: number): string {
  const end = start + MAX_VALUE_LENGTH;
  return `${start > 0 ? '...' : ''}${text.slice(start, end)}${text.length > end ? '...' : ''}`;
}

function inYaml(value: Json): string | null {
  return value === null ? null : showInline(value);
}

function quoted(text: string): string {
  return text.includes('`') ? text : `\`${text}\``;
}

const LESS = 'It counts once it is merged: then less is checked.';

function lowered(path: Path, summary: string, positionOf: (path: Path) => SourcePosition, consequence = LESS): Finding {
  const { file, line, column } = positionOf(path);
  const hint = `${consequence} Ask for the reason.`;
  return findingAt({ file, line, column }, { severity: 'warning', code: LOWERED_CODE, summary, hint });
}
