/** Introduces the engine, which knows no device, to the room that knows devices: which kinds they notice, and the users' own classes. */
import type { Project } from '../engine/desired/configuration.ts';
import type { Meaning, Sides } from '../engine/meaning.ts';
import type { AccountSides } from '../impact/account.ts';
import { impactsOf, planImpact } from '../impact/changes.ts';
import { declaredDevice } from '../impact/declared.ts';
import type { Device } from '../impact/device.ts';
import { CATALOGUE } from '../impact/devices/catalogue.ts';
import { drmPolicy } from '../kinds/drm-policy/index.ts';
import { vmpRejectStatuses } from '../kinds/vmp-reject-statuses/index.ts';
import { ADDRESS, SECTION } from '../kinds/vmp-reject-statuses/spec.ts';
import type { Fields } from '../model/json.ts';
import { asTexts } from '../model/read.ts';

/** The addresses of what devices notice, as globs. */
export const NOTICED: readonly string[] = [...drmPolicy.addresses.map((prefix) => `${prefix}*`), ADDRESS];

/** All classes of devices: the catalogue's, and the users' own behind them; one with the key of a class of the catalogue takes its place. */
export function devicesOf({ devices }: Pick<Project, 'devices'>): readonly Device[] {
  const own = new Map(Object.entries(devices).map(([id, declared]) => [id, declaredDevice(id, declared)]));
  const known = new Set(CATALOGUE.map(({ id }) => id));
  return [...CATALOGUE.map((device) => own.get(device.id) ?? device), ...[...own.values()].filter(({ id }) => !known.has(id))];
}

/** What plans mean for these devices. */
export function meaningFor(devices: readonly Device[]): (sides: Sides) => Meaning {
  return (sides) => {
    const account = accountOf(sides);
    const byChange = impactsOf(account, devices);
    return { byChange, told: planImpact(account, byChange) };
  };
}

/** What devices notice of an account. */
export function accountOf({ complete, resourcesOf }: Sides): AccountSides {
  const [vmp] = resourcesOf(vmpRejectStatuses.name);
  const statuses = (fields: Fields | null | undefined) =>
    complete.has(vmpRejectStatuses.name) ? (asTexts(fields?.[SECTION]) ?? []) : null;
  return {
    policies: resourcesOf(drmPolicy.name),
    vmp: { address: ADDRESS, changes: vmp?.changes === true, before: statuses(vmp?.before), after: statuses(vmp?.after) },
    defaults: drmPolicy.defaults(),
  };
}
