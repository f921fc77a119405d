/**
 * Every change of one setting, from each value to each other one, either names a class of devices, or says that none depends on it, or that
 * nobody knows; and a class that a user declares to depend on it is named. The values are those of the truth tables. What is unknown on both
 * sides is never said to be nothing that a class depends on.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { customDevice, type Device } from '../../../src/core/device-impact/device.ts';
import { DEVICE_CATALOG } from '../../../src/core/device-impact/device-catalog.ts';
import { type BeforeAfterPolicies, impactsOf, planImpact } from '../../../src/core/device-impact/plan-impact.ts';
import { drmPolicy } from '../../../src/core/kinds/drm-policy/index.ts';
import type { PlanImpact } from '../../../src/core/model/impact.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { record, rounds } from '../../support/figures.ts';
import { type ResourceSample, sampleReaderOf } from '../kinds/resource-samples.ts';
import { sampleIn, type Trial, tablesOf } from '../kinds/truth-tables.ts';

/** Returns the impact of a change of one policy, or of the VMP statuses alone where both policies are the same. */
function impactOf(
  sides: readonly [JsonObject, JsonObject],
  vmp: readonly [string[], string[]],
  devices: readonly Device[],
): PlanImpact | null {
  const [before, after] = sides;
  const policies = before === after ? [] : [{ address: 'drm-policy/p', isDeclared: true, isWritten: true, before, after }];
  const [then, now] = vmp;
  const statuses = { address: 'vmp-reject-statuses', isWritten: then.join() !== now.join(), before: then, after: now };
  const account: BeforeAfterPolicies = { policies, vmp: statuses, defaults: drmPolicy.defaults() };
  return planImpact(account, impactsOf(account, devices), devices);
}

function namedClasses(impact: PlanImpact | null): readonly string[] {
  return [...new Set(impact?.summaries.flatMap(({ devices }) => devices.map(({ device }) => device)))];
}

function saysThatNoneDepends(impact: PlanImpact | null): boolean {
  return impact?.notes.some((note) => /no built-in class of devices depends on/.test(note)) === true;
}

function saysThatNobodyKnows(impact: PlanImpact | null): boolean {
  return impact?.notes.some((note) => /do not say whether a class of devices depends on/.test(note)) === true;
}

const LEVELS: readonly Json[] = ['HDCP_NONE', 'HDCP_V1', 'HDCP_V2', 'HDCP_V2_1', 'HDCP_V2_2', 'HDCP_NO_DIGITAL_OUTPUT'];
const VERSIONS = ['none', '1.x', '2.0', '2.1', '2.2'];

/** The weaker and the stronger of two values: numbers by size, names by `order`. */
function ordered(values: readonly [Json, Json], order: readonly Json[] = []): readonly [number, number] {
  const ranks = values.map((value) => (order.length > 0 ? order.indexOf(value) : Number(value))).toSorted((a, b) => a - b);
  return [ranks[0] ?? 0, ranks[1] ?? 0];
}

const apple = { system: 'fairplay', outputs: ['internal'] };
const google = { system: 'widevine', security_level: 5, outputs: ['internal'], vmp_status: 'OK', srm: 'current' };
const microsoft = { system: 'playready', security_level: 3000, outputs: ['internal'] };

/**
 * A class of devices that depends on whether a setting has one value or the other, as drm-api-v3 sections 2.2 to 2.4 describe it; null where
 * the setting is reserved, or does not count. By the path of the setting, where `*` is any resolution or track.
 */
const DEPENDENT: readonly (readonly [path: RegExp, declare: (values: readonly [Json, Json]) => JsonObject])[] = [
  [/^.fairplay.\w+.allow_airplay$/, () => ({ ...apple, outputs: ['airplay'] })],
  [/^.fairplay.\w+.allow_av_adapter$/, () => ({ ...apple, outputs: ['av_adapter'] })],
  [/^.fairplay.\w+.hdcp_enforcement$/, (values) => ({ ...apple, outputs: ['digital'], hdcp: ordered(values)[0] === -1 ? 'none' : '1.x' })],
  [/^.fairplay.(persistence|rental|persistence_duration_seconds)$/, () => ({ ...apple, offline: true })],
  [/^.fairplay.(key|rental|lease)_duration_seconds$|^.fairplay.lease$/, () => apple],
  [/^.fairplay.playback_duration_seconds$/, () => ({ ...apple, offline: true })],
  [/^.widevine.content_key_specs.\w+.security_level$/, (values) => ({ ...google, security_level: ordered(values)[0] })],
  [
    /^.widevine.content_key_specs.\w+.required_output_protection.hdcp$/,
    (values) => ({ ...google, outputs: ['digital'], hdcp: VERSIONS[ordered(values, LEVELS)[0]] ?? 'none' }),
  ],
  [/disable_analog_output$/, () => ({ ...google, outputs: ['analog'], cgms_a: true })],
  [/cgms_flags$/, () => ({ ...google, outputs: ['analog'], cgms_a: true })],
  [/hdcp_srm_rule$/, () => ({ ...google, srm: 'outdated' })],
  [/^.widevine.policy_overrides.(can_play|license_duration_seconds|playback_duration_seconds)$/, () => google],
  [/^.widevine.policy_overrides.(can_persist|rental_duration_seconds)$/, () => ({ ...google, offline: true })],
  [/^.playready.\w+.security_level$/, (values) => ({ ...microsoft, security_level: ordered(values)[0] })],
  [
    /^.playready.\w+.(digital_video|uncompressed_digital_audio)_protection_level$/,
    (values) => ({ ...microsoft, outputs: ['digital'], hdcp: ordered(values)[1] === 301 ? '2.2' : 'none' }),
  ],
  [/^.playready.\w+.compressed_digital_audio_protection_level$/, () => ({ ...microsoft, outputs: ['digital'] })],
  [/^.playready.\w+.analog_video_protection_level$/, () => ({ ...microsoft, outputs: ['analog'], cgms_a: true })],
  [/^.playready.\w+.require_hdcp_type_1$/, () => ({ ...microsoft, outputs: ['digital'], hdcp: '1.x' })],
  [/^.playready.\w+.play_enabler$/, () => ({ ...microsoft, virtual_machine: true })],
  [/^.playready.can_persist$/, () => ({ ...microsoft, offline: true })],
  [/^.playready.(can_play|realtime_expiration|license_begin_seconds|(license|playback)_duration_seconds)$/, () => microsoft],
];

/** The tables about settings that no device can depend on: reserved, or without effect beside the other settings of the table. */
const WITHOUT_EFFECT = /reserved|renewal_server_url|counts for nothing/;

/** Of the pairs of values of a table, every so many are checked. */
const EVERY = rounds(3, 1);

const tables = tablesOf('drm-policy').filter(({ trials }) => trials.some(({ names }) => names.length === 0));
const isPolicyName = (path: string) => path === '/policy_name';
const trials = tables.flatMap((table) =>
  table.trials.flatMap((trial) => {
    const path = table.fields.find(
      (field) => trial.title.startsWith(`${table.title}: ${field}`) && trial.title.slice(table.title.length + 2).split(' ')[0] === field,
    );
    return path === undefined || isPolicyName(path) ? [] : [[trial.title, path, table.columns, trial] as const];
  }),
);

/** The tables with values that the API documents do not explain. */
const WITH_UNKNOWN = /no document names/;

describe('a change of one setting', () => {
  let readSample: (document: JsonObject) => ResourceSample;
  beforeAll(async () => {
    readSample = await sampleReaderOf('drm-policy');
  });

  const fieldsOf = (trial: Trial, name: string): JsonObject => sampleIn(trial, name, readSample)?.fields ?? {};
  const counted = { named: 0, none: 0, declared: 0 };

  test.each(trials)('names a class of devices, or says that none depends on it or that nobody knows: %s', (title, path, names, trial) => {
    const fields = new Map(names.map((name) => [name, fieldsOf(trial, name)]));
    const pairs = names.flatMap((before) => names.flatMap((after) => (before === after ? [] : [[before, after] as const])));
    for (const [before, after] of pairs.filter((_, index) => index % EVERY === 0)) {
      const sides = [fields.get(before) ?? {}, fields.get(after) ?? {}] as const;
      const impact = impactOf(sides, [[], []], DEVICE_CATALOG);
      const isNamed = namedClasses(impact).length > 0;
      const isOpen = saysThatNobodyKnows(impact);
      expect([isNamed, saysThatNoneDepends(impact), isOpen], `${before} -> ${after}`).toEqual([isNamed, !isNamed && !isOpen, isOpen]);
      expect(isNamed && isOpen).toBe(false);
      counted[isNamed ? 'named' : 'none'] += 1;
      const [, declare] = DEPENDENT.find(([pattern]) => pattern.test(path)) ?? [];
      expect(declare === undefined).toBe(/always_include|renew/.test(path));
      if (declare === undefined || WITHOUT_EFFECT.test(title)) continue;
      const values = [trial.namedValue(before).field?.value ?? null, trial.namedValue(after).field?.value ?? null] as const;
      const own = customDevice('own', declare(values));
      const withOwn = impactOf(sides, [[], []], [...DEVICE_CATALOG, own]);
      expect(saysThatNoneDepends(withOwn), `${before} -> ${after}`).toBe(false);
      if (WITH_UNKNOWN.test(title) && saysThatNobodyKnows(withOwn)) continue;
      expect(namedClasses(withOwn), `${before} -> ${after}`).toContain('own');
      counted.declared += 1;
    }
  });

  test('was checked for every setting that has a table', () => {
    const proof = 'settings and devices';
    const least = { named: counted.none + 1, none: 1, declared: 1000 / EVERY + 1 };
    for (const name of ['named', 'none', 'declared'] as const)
      record({ proof, name, value: counted[name], wanted: `at least ${least[name]}`, holds: counted[name] >= least[name] });
    expect(counted.named).toBeGreaterThanOrEqual(least.named);
    expect(counted.none).toBeGreaterThanOrEqual(least.none);
    expect(counted.declared).toBeGreaterThanOrEqual(least.declared);
  });
});

describe('a VMP status', () => {
  const STATUSES = [
    'PLATFORM_UNVERIFIED',
    'PLATFORM_TAMPERED',
    'PLATFORM_SOFTWARE_VERIFIED',
    'PLATFORM_HARDWARE_VERIFIED',
    'PLATFORM_NO_VERIFICATION',
    'PLATFORM_SECURE_STORAGE_SOFTWARE_VERIFIED',
    'PLATFORM_OF_TOMORROW',
  ];

  test.each(STATUSES)(
    'names a class of devices that reports %s, or says that none does, and names a class that a user declares',
    (status) => {
      const { defaults } = { defaults: drmPolicy.defaults() };
      for (const vmp of [
        [[], [status]],
        [[status], []],
        [['PLATFORM_X'], ['PLATFORM_X', status]],
      ] as const) {
        const change = vmp.map((side) => [...side]) as [string[], string[]];
        const impact = impactOf([defaults, defaults], change, DEVICE_CATALOG);
        expect(saysThatNoneDepends(impact)).toBe(namedClasses(impact).length === 0);
        const own = customDevice('own', { ...google, vmp_status: status });
        expect(namedClasses(impactOf([defaults, defaults], change, [...DEVICE_CATALOG, own]))).toContain('own');
      }
    },
  );
});
