/**
 * Ignored fields (design section 3, fields left to others): not compared, and not changed. A resource that is sent whole has their live
 * values.
 */
import {
  type DesiredResource,
  isLiveObject,
  type Kind,
  type LiveResource,
  type ResourceChange,
  type WhyNotDeclarable,
} from '../kinds/kind.ts';
import {
  copyFields,
  type IgnoredField,
  type IgnoredValue,
  isExpired,
  isIgnored,
  valueAtPointer,
  withPlaceholders,
} from '../model/ignored-fields.ts';
import { equal, type JsonObject } from '../model/json.ts';

/** Moves the ignored fields whose last day is over to `expired`. `now` in Unix milliseconds. */
export function separateExpiredIgnores(resource: DesiredResource, now: number): DesiredResource {
  if (!resource.ignored) return resource;
  const { ignored, ...rest } = resource;
  const expired = ignored.filter((field) => isExpired(field, now));
  return withIgnoredList(
    expired.length === 0 ? rest : { ...rest, expired: [...(rest.expired ?? []), ...expired] },
    ignored.filter((field) => !isExpired(field, now)),
  );
}

/** Returns a resource with these ignored fields instead of its own. */
export function withIgnoredList({ ignored: _before, ...resource }: DesiredResource, ignored: readonly IgnoredField[]): DesiredResource {
  return ignored.length === 0 ? resource : { ...resource, ignored };
}

/**
 * Returns a resource whose ignored fields have their live values, also in `declaredFields` if the kind sends these. An ignored field
 * keeps its declared value in two cases: a read of the object may leave it out, or the live value of a setting lacks it.
 */
export function withLiveValues(kind: Kind, desired: DesiredResource, live: LiveResource): DesiredResource {
  const { ignored, fields } = desired;
  if (!ignored) return desired;
  const known = isLiveObject(live) ? ignored : ignored.filter(({ path }) => valueAtPointer(live.fields, path) !== undefined);
  const maybeMissingInRead = (isLiveObject(live) ? (live.maybeMissingInRead ?? []) : [])
    .filter((path) => isIgnored(ignored, path))
    .map((path) => ({ path }));
  return withFields(
    kind,
    desired,
    copyFields({ into: copyFields({ into: fields, from: live.fields, paths: known }), from: fields, paths: maybeMissingInRead }),
  );
}

/** Decides whether the requests of a change hold live values of ignored fields, because its resource is always sent whole. */
export function sendsIgnored(kind: Kind, { desired, live }: ResourceChange): boolean {
  const isSentWhole = kind.type === 'setting' || !kind.hasPartialUpdates;
  return isSentWhole && live !== null && desired?.ignored !== undefined;
}

/**
 * Returns why a change cannot be sent: its requests hold the whole resource, with the live values of ignored fields, and no configuration
 * could declare that; undefined where the change can be sent. `now` in Unix milliseconds.
 */
export function whyNotSendable(kind: Kind, change: ResourceChange, whyNotDeclarable: WhyNotDeclarable, now: number): string | undefined {
  const { desired, live } = change;
  if (!desired || !live || !sendsIgnored(kind, change)) return undefined;
  const { fields, remoteName } = desired;
  const whole = isLiveObject(live) ? { ...live, fields, remoteName: remoteName ?? live.remoteName } : { ...live, fields };
  return whyNotDeclarable(kind, [whole], now).get(live.id ?? '');
}

/** Returns a change with a placeholder for each ignored field, so that its digest stays the same when others edit these fields. */
export function withPlaceholdersForIgnored(kind: Kind, change: ResourceChange): ResourceChange {
  const { desired, live } = change;
  if (!desired?.ignored || !live) return change;
  const { ignored } = desired;
  const masked = (fields: JsonObject) => withPlaceholders(fields, ignored);
  return { desired: withFields(kind, desired, masked(desired.fields)), live: { ...live, fields: masked(live.fields) } };
}

/** Returns the ignored fields of a live resource, for the plan document. */
export function ignoredValues({ ignored = [], fields }: DesiredResource, live: LiveResource): readonly IgnoredValue[] {
  return ignored.flatMap(({ path, until, why }): readonly IgnoredValue[] => {
    const value = valueAtPointer(live.fields, path);
    if (value === undefined && valueAtPointer(fields, path) === undefined) return [];
    return [{ path, live: value ?? null, ...(until === undefined ? {} : { until }), ...(why === undefined ? {} : { why }) }];
  });
}

/**
 * Returns those ignored fields of a live resource that differ from their declared values. `declared` is the resource before live values were
 * filled in.
 */
export function differingIgnoredValues(declared: DesiredResource, live: LiveResource): readonly IgnoredValue[] {
  return ignoredValues(declared, live).filter(({ path, live: value }) => !equal(valueAtPointer(declared.fields, path) ?? null, value));
}

function withFields(kind: Kind, desired: DesiredResource, fields: JsonObject): DesiredResource {
  if (equal(fields, desired.fields)) return desired;
  if (kind.type === 'setting') return { ...desired, fields, declaredFields: fields };
  return { ...desired, fields, ...(kind.changeDeclaredFields ? { declaredFields: kind.changeDeclaredFields(desired, fields) } : {}) };
}
