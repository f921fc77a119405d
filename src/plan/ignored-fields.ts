/** Fields of resources that are left to others: neither compared nor written (design section 3, fields left to others). */
import {
  type DesiredResource,
  isLiveObject,
  type Kind,
  type LiveResource,
  type ResourceChange,
  type WhyInexpressible,
} from '../kinds/kind.ts';
import {
  type IgnoredField,
  type IgnoredValue,
  isExpired,
  isIgnored,
  valueAtPointer,
  withIgnoredFrom,
  withPlaceholders,
} from '../model/ignored-fields.ts';
import { equal, type JsonObject } from '../model/json.ts';

/** Moves those ignored fields of a resource to `expired` whose last day is over. `now` in Unix milliseconds. */
export function withExpiredApart(resource: DesiredResource, now: number): DesiredResource {
  if (!resource.ignored) return resource;
  const { ignored, ...rest } = resource;
  const expired = ignored.filter((field) => isExpired(field, now));
  return withIgnored(
    expired.length === 0 ? rest : { ...rest, expired: [...(rest.expired ?? []), ...expired] },
    ignored.filter((field) => !isExpired(field, now)),
  );
}

/** Returns a resource with other ignored fields. */
export function withIgnored({ ignored: _before, ...resource }: DesiredResource, ignored: readonly IgnoredField[]): DesiredResource {
  return ignored.length === 0 ? resource : { ...resource, ignored };
}

/**
 * Returns a resource whose ignored fields have their live values, in the form in which it is sent. A field keeps its declared value where
 * the read does not show it, and in a setting where it was never set.
 */
export function withLiveValues(kind: Kind, desired: DesiredResource, live: LiveResource): DesiredResource {
  const { ignored, fields } = desired;
  if (!ignored) return desired;
  const known = isLiveObject(live) ? ignored : ignored.filter(({ path }) => valueAtPointer(live.fields, path) !== undefined);
  const unshown = (isLiveObject(live) ? (live.unshown ?? []) : []).filter((path) => isIgnored(ignored, path)).map((path) => ({ path }));
  return withFields(kind, desired, withIgnoredFrom(fields, withIgnoredFrom(live.fields, fields, known), unshown));
}

/** Decides whether the requests of a change hold live values of ignored fields, because its resource is always sent whole. */
export function sendsIgnored(kind: Kind, { desired, live }: ResourceChange): boolean {
  const isSentWhole = kind.type === 'setting' || !kind.hasPartialUpdates;
  return isSentWhole && live !== null && desired?.ignored !== undefined;
}

/**
 * Returns why the resource of a change could not be declared with the live values of its ignored fields, which its requests hold; undefined
 * where it could. `now` in Unix milliseconds.
 */
export function whyNotSendable(kind: Kind, change: ResourceChange, whyInexpressible: WhyInexpressible, now: number): string | undefined {
  const { desired, live } = change;
  if (!desired || !live || !sendsIgnored(kind, change)) return undefined;
  const { fields, remoteName } = desired;
  const whole = isLiveObject(live) ? { ...live, fields, remoteName: remoteName ?? live.remoteName } : { ...live, fields };
  return whyInexpressible(kind, [whole], now).get(live.id ?? '');
}

/** Returns a change with a placeholder for each ignored field: what of its requests does not depend on what others write. */
export function withoutIgnored(kind: Kind, change: ResourceChange): ResourceChange {
  const { desired, live } = change;
  if (!desired?.ignored || !live) return change;
  const masked = (fields: JsonObject) => withPlaceholders(fields, desired.ignored ?? []);
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

/** Returns those ignored fields of a live resource that differ from their declared values. `declared` has its declared values. */
export function differingIgnoredValues(declared: DesiredResource, live: LiveResource): readonly IgnoredValue[] {
  return ignoredValues(declared, live).filter(({ path, live: value }) => !equal(valueAtPointer(declared.fields, path) ?? null, value));
}

function withFields(kind: Kind, desired: DesiredResource, fields: JsonObject): DesiredResource {
  if (equal(fields, desired.fields)) return desired;
  if (kind.type === 'setting') return { ...desired, fields, declaredFields: fields };
  return { ...desired, fields, ...(kind.declaredWith ? { declaredFields: kind.declaredWith(desired, fields) } : {}) };
}
