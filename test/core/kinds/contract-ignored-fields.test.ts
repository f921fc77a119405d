/** The contract of fields that are left to others (design section 3), for random samples of every kind. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { DesiredResource, Kind, LiveResource, ResourceChange } from '../../../src/core/kinds/kind.ts';
import { copyFields, isIgnored, valueAtPointer } from '../../../src/core/model/ignored-fields.ts';
import { equal, isJsonObject, type Json, type JsonObject, type Path, pointer } from '../../../src/core/model/json.ts';
import { diffFields } from '../../../src/core/plan/diff-fields.ts';
import { differencesOf } from '../../../src/core/plan/diff-resources.ts';
import { withIgnoredList, withLiveValues, withPlaceholdersForIgnored } from '../../../src/core/plan/ignored-fields.ts';
import { rounds } from '../../support/figures.ts';
import { assertProperty } from '../../support/property.ts';
import { declareServices, onlyItem } from './fixtures.ts';
import { liveOf, type ResourceSample, samplesOf } from './resource-samples.ts';

const RUNS = { numRuns: rounds(50, 2_000) };

/** Before every time in the samples, so that none of them has passed. */
const NOW = 0;

const OPTIONS = { bulkLimit: 100 };

/** Returns the JSON Pointers of all fields of a kind. */
function pointersOf(tree: JsonObject, above: Path = []): readonly string[] {
  return Object.entries(tree).flatMap(([member, value]) => {
    const path = [...above, member];
    return [pointer(path), ...(isJsonObject(value) ? pointersOf(value, path) : [])];
  });
}

/** Returns the resource that declares a live one as it is; undefined where no configuration can. */
function declaredAs(kind: Kind, live: LiveResource): DesiredResource | undefined {
  const [entry] = kind.toConfig([live.id === null ? live : { ...live, remoteName: 'p' }]).entries;
  if (!entry) return undefined;
  const sections = { [entry.section]: entry.key === null ? entry.value : { [entry.key]: entry.value } };
  return onlyItem(kind.declare(sections, declareServices).resources);
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('the kind %s', (name, kind) => {
  const pointers = pointersOf(kind.allFields?.() ?? kind.defaults());
  let samples: fc.Arbitrary<ResourceSample>;
  beforeAll(async () => {
    samples = await samplesOf(name);
  });
  const ignored = fc
    .subarray([...pointers], { maxLength: Math.min(3, pointers.length) })
    .map((paths) => paths.map((path) => ({ path, declared: { file: 'a.yaml', line: 1, column: 1 } })));

  /** A declared resource that ignores some fields, and two live ones, of which the second differs only in ignored fields. */
  function changes(check: (desired: DesiredResource, live: LiveResource, moved: LiveResource) => void): void {
    const property = fc.property(samples, samples, samples, ignored, (before, after, other, fields) => {
      const desired = declaredAs(kind, liveOf(kind, after));
      fc.pre(desired !== undefined);
      const live = liveOf(kind, before);
      const moved = { ...live, fields: copyFields({ into: live.fields, from: other.fields, paths: fields }) };
      check(withIgnoredList(desired, fields), live, moved);
    });
    assertProperty(property, RUNS);
  }

  const requestsOf = ({ desired, live }: ResourceChange): Json => {
    const change = desired && live ? withPlaceholdersForIgnored(kind, { desired, live }) : null;
    return change && JSON.parse(JSON.stringify(kind.requests(change, OPTIONS, NOW)));
  };

  it('lists every field in which two resources can differ as one that can be ignored', () => {
    assertProperty(
      fc.property(samples, samples, (one, other) => {
        const paths = diffFields(one.fields, other.fields).map(({ path }) => path);
        expect(paths.filter((path) => !pointers.includes(path))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('differs in no ignored field, and without a comparison of its own in all other fields as before', () => {
    changes((desired, live) => {
      const paths = (resource: DesiredResource) => differencesOf(kind, resource, live, NOW).map(({ path }) => path);
      const others = paths(withIgnoredList(desired, [])).filter((path) => !isIgnored(desired.ignored ?? [], path));
      const differing = paths(desired);
      expect(differing.filter((path) => isIgnored(desired.ignored ?? [], path))).toEqual([]);
      if (!kind.toComparable) expect(differing).toEqual(others);
    });
  });

  it('takes from a live resource the value of each ignored field that it shows, and declares every other field as before', () => {
    changes((desired, live) => {
      const wanted = withLiveValues(kind, desired, live).fields;
      const isLeftToOthers = ({ path }: { readonly path: string }) => isIgnored(desired.ignored ?? [], path);
      const moved = diffFields(wanted, live.fields).filter(isLeftToOthers);
      expect(moved.filter(({ path }) => valueAtPointer(live.fields, path) !== undefined)).toEqual([]);
      expect(diffFields(wanted, desired.fields).filter((difference) => !isLeftToOthers(difference))).toEqual([]);
    });
  });

  if (kind.type === 'collection' && kind.hasPartialUpdates)
    it('leaves ignored fields out of what it sends', () => {
      changes((desired, live) => {
        const sent = kind.requests({ desired: withLiveValues(kind, desired, live), live }, OPTIONS, NOW);
        const members = sent.flatMap(({ body }) => (isJsonObject(body) ? Object.keys(body) : []));
        expect(members.filter((member) => isIgnored(desired.ignored ?? [], pointer([member])))).toEqual([]);
      });
    });

  if (kind.type === 'collection' && !kind.hasPartialUpdates)
    it('sends the live values of ignored fields, because it sends a resource whole', () => {
      changes((desired, live) => {
        const whole = withLiveValues(kind, desired, live);
        const [section = '', key = ''] = desired.path.map(String);
        const again = onlyItem(kind.declare({ [section]: { [key]: whole.declaredFields } }, declareServices).resources);
        expect(again.fields).toEqual({ ...whole.fields, [kind.remoteNameField]: again.fields[kind.remoteNameField] });
      });
    });

  if (kind.type === 'setting')
    it('sends the live values of ignored fields as if they were declared, because it sends a setting whole', () => {
      changes((desired, live) => {
        const whole = withLiveValues(kind, desired, live);
        const declared = declaredAs(kind, { ...live, fields: whole.fields });
        // What no configuration can declare is not sent (design section 3, fields left to others).
        fc.pre(declared !== undefined && equal(declared.fields, whole.fields));
        const requestsTo = (resource: DesiredResource) => kind.requests({ desired: resource, live }, OPTIONS, NOW);
        expect(requestsTo(whole)).toEqual(requestsTo(declared));
      });
    });

  it('shows requests that do not depend on the live values of ignored fields', () => {
    changes((desired, live, moved) => {
      const shown = (current: LiveResource) => requestsOf({ desired: withLiveValues(kind, desired, current), live: current });
      expect(shown(moved)).toEqual(shown(live));
    });
  });
});
