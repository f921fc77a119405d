import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../src/core/kinds/kind.ts';
import { vmpRejectStatuses } from '../../../../src/core/kinds/vmp-reject-statuses/index.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { asStringArray } from '../../../../src/core/model/json-readers.ts';
import { settableCodes } from '../../../support/finding-codes.ts';
import { assertAsyncProperty, assertProperty } from '../../../support/property.ts';
import { declareServices, expectMalformed, fakeService, liveSetting, onlyItem, requestOptions } from '../fixtures.ts';

const GET = 'GET /api/v3/drm/vmp-reject-statuses';

/** What follows `PLATFORM_` (api-notes section 4). */
const KNOWN = ['UNVERIFIED', 'TAMPERED', 'SOFTWARE_VERIFIED', 'HARDWARE_VERIFIED', 'NO_VERIFICATION', 'SECURE_STORAGE_SOFTWARE_VERIFIED'];

function declare(...vmp_reject_statuses: string[]) {
  return vmpRejectStatuses.declare({ vmp_reject_statuses }, declareServices);
}

function desired(...statuses: string[]) {
  return onlyItem(declare(...statuses).resources);
}

describe('declaring the VMP statuses', () => {
  test('sorts them and keeps each status once', () => {
    expect(desired('PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED')).toMatchObject({
      address: 'vmp-reject-statuses',
      fields: { vmp_reject_statuses: ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] },
      matchKeys: [],
      mayMatchByBinding: false,
      path: ['vmp_reject_statuses'],
    });
  });

  test('manages an empty set, and does not manage an absent one', () => {
    expect(desired().fields).toEqual({ vmp_reject_statuses: [] });
    expect(vmpRejectStatuses.declare({}, declareServices).resources).toEqual([]);
  });

  test('has no warning about the documented statuses', () => {
    expect(declare(...KNOWN.map((name) => `PLATFORM_${name}`)).findings).toEqual([]);
  });

  test('warns about any other status', () => {
    expect(onlyItem(declare('PLATFORM_TAMPERED', 'platform_tampered').findings)).toMatchObject({
      severity: 'warning',
      code: 'unknown-vmp-status',
      path: ['vmp_reject_statuses', 1],
      address: 'vmp-reject-statuses',
      summary: '"platform_tampered" is not a VMP status that the API documents name',
      hint: `known are ${KNOWN.map((name) => `PLATFORM_${name}`).join(', ')}; case counts`,
    });
  });

  test('warns about a repeated one once, at its first place', () => {
    const paths = declare('odd', 'PLATFORM_TAMPERED', 'odder', 'PLATFORM_TAMPERED', 'odd').findings.map(({ path }) => path);
    expect(paths).toEqual([
      ['vmp_reject_statuses', 0],
      ['vmp_reject_statuses', 2],
    ]);
  });
});

test('the VMP statuses are one setting of the account that always exists and is sent whole', () => {
  expect(vmpRejectStatuses.type).toBe('setting');
  expect(vmpRejectStatuses.sections).toEqual([{ key: 'vmp_reject_statuses', addressPrefix: 'vmp-reject-statuses' }]);
  expect(settableCodes(vmpRejectStatuses.findingCodes)).toEqual(['unknown-vmp-status']);
  expect(vmpRejectStatuses.defaults()).toEqual({ vmp_reject_statuses: [] });
  expect(vmpRejectStatuses.idAddress(liveSetting({ vmp_reject_statuses: [] }))).toBe('vmp-reject-statuses');
});

describe('the VMP statuses of the service', () => {
  test('are read in canonical form, whatever their order', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(fc.string()), async (statuses) => {
        const { service } = fakeService({ [GET]: { vmp_reject_statuses: statuses, error: 0 } });
        const { objects, warnings } = await vmpRejectStatuses.read(service);
        expect(warnings).toEqual([]);
        expect(onlyItem(objects).fields).toEqual(desired(...statuses.toReversed()).fields);
      }),
    );
  });

  test('are one unnamed object, read by one repeatable request', async () => {
    const { service, sent } = fakeService({ [GET]: { vmp_reject_statuses: ['A'], error: 0 } });
    const object = liveSetting({ vmp_reject_statuses: ['A'] });
    expect(await vmpRejectStatuses.read(service)).toStrictEqual({ objects: [object], warnings: [] });
    expect(sent).toEqual([{ method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', repeatable: true, isList: true }]);
  });

  test('give the owner where the response names it', async () => {
    const owners = [{}, { owner: 'me' }].map(async (more) => {
      const { service } = fakeService({ [GET]: { vmp_reject_statuses: [], ...more } });
      return (await vmpRejectStatuses.read(service)).owner;
    });
    expect(await Promise.all(owners)).toEqual([undefined, 'me']);
  });

  test.each([{}, { vmp_reject_statuses: null }, { vmp_reject_statuses: [1] }, { vmp_reject_statuses: 'A' }, [], undefined])(
    'cannot be read from %j',
    async (body) => {
      await expectMalformed(vmpRejectStatuses.read(fakeService({ [GET]: body }).service), 'its vmp_reject_statuses is not a list of texts');
    },
  );

  test('are written as a whole in one repeatable request', () => {
    const plan = { desired: desired('B', 'A'), live: liveSetting({ vmp_reject_statuses: ['C'] }) };
    const write = onlyItem(vmpRejectStatuses.requests(plan, requestOptions, 0));
    expect(write).toEqual({
      method: 'POST',
      path: '/api/v3/drm/vmp-reject-statuses/update',
      body: { vmp_reject_statuses: ['A', 'B'] },
      repeatable: true,
    });
    expect(vmpRejectStatuses.parseWriteResponse(plan, write, { vmp_reject_statuses: ['B', 'A'] })).toEqual({ state: 'done' });
    expect(() => vmpRejectStatuses.parseWriteResponse(plan, write, {})).toThrow(ApiError);
    expect(() => vmpRejectStatuses.parseWriteResponse(plan, write, { vmp_reject_statuses: null })).toThrow(ApiError);
    expect(vmpRejectStatuses.requests({ desired: null, live: liveSetting({ vmp_reject_statuses: [] }) }, requestOptions, 0)).toEqual([]);
  });

  test('fail the change where the response shows another set', () => {
    const status = fc.constantFrom('A', 'B', 'C');
    assertProperty(
      fc.property(fc.array(status), fc.array(status), (written, returned) => {
        const plan = { desired: desired(...written), live: liveSetting({ vmp_reject_statuses: ['Z'] }) };
        const write = onlyItem(vmpRejectStatuses.requests(plan, requestOptions, 0));
        const isEqual =
          new Set([...written, ...returned]).size === new Set(written).size && new Set(written).size === new Set(returned).size;
        expect(vmpRejectStatuses.parseWriteResponse(plan, write, { vmp_reject_statuses: returned })).toEqual(
          isEqual ? { state: 'done' } : { state: 'failed', reason: expect.stringContaining('/vmp_reject_statuses reads') },
        );
      }),
    );
  });

  test('are exported as they are', () => {
    const object = liveSetting({ vmp_reject_statuses: ['A', 'B'] });
    expect(vmpRejectStatuses.toConfig([object])).toEqual({
      entries: [{ section: 'vmp_reject_statuses', key: null, value: ['A', 'B'], adopt: {}, objects: [object] }],
      notDeclarable: [],
    });
  });
});

/** Assesses a change of the set; null is a set that does not exist. */
function assess(before: readonly string[] | null, after: readonly string[] | null) {
  return vmpRejectStatuses.assessRisk({
    action: 'update',
    fields: [{ path: '/vmp_reject_statuses', before, after }],
    before: before && { id: null, fields: { vmp_reject_statuses: before } },
    after: after && { fields: { vmp_reject_statuses: after } },
  });
}

/** What the truth tables do not cover. */
describe('the risk of changed VMP statuses', () => {
  test('has a reason for each direction, each with its statuses', () => {
    expect(assess(['B', 'A', 'K'], ['K', 'C'])).toEqual([
      {
        effect: 'weakens',
        reasons: [
          { effect: 'weakens', text: 'devices with VMP status A, B get licenses again' },
          { effect: 'strengthens', text: 'devices with VMP status C get no licenses any more' },
        ],
      },
    ]);
  });

  test('decides the phase of the change', () => {
    expect((['strengthens', 'neutral', 'weakens'] as const).map((effect) => vmpRejectStatuses.phase('update', effect))).toEqual([
      'strengthen',
      'update',
      'weaken',
    ]);
    expect(vmpRejectStatuses.idAddress(liveSetting({ vmp_reject_statuses: [] }))).toBe('vmp-reject-statuses');
    expect(vmpRejectStatuses.defaults()).toEqual({ vmp_reject_statuses: [] });
  });
});

test.each<[string, Json, Json, readonly string[]]>([
  ['one status more', ['A'], ['A', 'B'], ['strengthens devices with VMP status B get no licenses any more']],
  ['one status less', ['A', 'B'], ['B'], ['weakens devices with VMP status A get licenses again']],
  [
    'other statuses',
    ['B', 'A'],
    ['D', 'C'],
    ['weakens devices with VMP status A, B get licenses again', 'strengthens devices with VMP status C, D get no licenses any more'],
  ],
  ['the same in another order', ['A', 'B'], ['B', 'A'], []],
  ['a set where none was', null, ['A'], ['strengthens devices with VMP status A get no licenses any more']],
  ['none where a set was', ['A'], null, ['weakens devices with VMP status A get licenses again']],
])('the risk of %s has its reasons: weakening first, each status named', (_name, before, after, expected) => {
  const assessments = assess(asStringArray(before) ?? null, asStringArray(after) ?? null);
  expect(assessments.flatMap(({ reasons }) => reasons.map(({ effect, text }) => `${effect} ${text}`))).toEqual(expected);
});
