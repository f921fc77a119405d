/** Device classes that users declare: schemas/configuration.schema.json says their form, and this their defaults. */
import type { Output } from '../model/impact.ts';
import { asBoolean, asInteger, asList, asString } from '../model/json-readers.ts';
import { type Device, HDCP_VERSIONS } from './device.ts';

const OUTPUTS: readonly Output[] = ['internal', 'digital', 'repeater', 'analog', 'airplay', 'av_adapter'];
const SRM = ['current', 'outdated', 'unknown'] as const;

/**
 * The device that a user declared under `id`, in the form of the schema; what is left out: `name` the ID, `hdcp` none, `vmp_status` and
 * `srm` unknown, everything else false. @throws TypeError where the value has not the form of the schema
 */
export function declaredDevice(id: string, declared: { readonly [member: string]: unknown }): Device {
  const common = {
    id,
    name: asString(declared.name) ?? id,
    hdcp: oneOf(HDCP_VERSIONS, declared.hdcp ?? 'none', 'hdcp'),
    outputs: (asList(declared.outputs) ?? []).map((output) => oneOf(OUTPUTS, output, 'outputs')),
    offline: asBoolean(declared.offline) ?? false,
  };
  const system = oneOf(['fairplay', 'widevine', 'playready'] as const, declared.system, 'system');
  if (system === 'fairplay') return { ...common, system };
  const security_level = asInteger(declared.security_level);
  if (security_level === undefined) throw new TypeError('security_level is not a whole number');
  const protectedBy = { security_level, cgms_a: asBoolean(declared.cgms_a) ?? false };
  if (system === 'playready') return { ...common, system, ...protectedBy, virtual_machine: asBoolean(declared.virtual_machine) ?? false };
  return {
    ...common,
    system,
    ...protectedBy,
    vmp_status: asString(declared.vmp_status) ?? null,
    srm: oneOf(SRM, declared.srm ?? 'unknown', 'srm'),
    desktop_browser: asBoolean(declared.desktop_browser) ?? false,
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown, member: string): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new TypeError(`${member} is none of ${allowed.join(', ')}`);
  return found;
}
