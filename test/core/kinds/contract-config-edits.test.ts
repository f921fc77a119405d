/** The contract of `configEdits`, by which `drift accept` edits the configuration, for random samples of every kind. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { setIn } from '../../../src/core/drift/accept/document-edits.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import {
  type ConfigEdit,
  type DesiredResource,
  isLiveObject,
  type Kind,
  type LiveResource,
  type NotDeclarable,
  type Sections,
} from '../../../src/core/kinds/kind.ts';
import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import { differencesOf } from '../../../src/core/plan/diff-resources.ts';
import { rounds } from '../../support/figures.ts';
import { assertProperty } from '../../support/property.ts';
import { declareServices, onlyItem } from './fixtures.ts';
import { liveOf, type ResourceSample, samplesOf } from './resource-samples.ts';

const RUNS = { numRuns: rounds(100, 2000) };

/** Before every time in the samples, so that none of them has passed. */
const NOW = 0;

/** Turns a sample into a live resource; all of them have the same name. */
function objectOf(kind: Kind, sample: ResourceSample): LiveResource {
  const live = liveOf(kind, sample);
  return isLiveObject(live) ? { ...live, remoteName: 'p' } : live;
}

/** Returns sections that declare a live resource as it is; undefined where that is impossible. */
function sectionsOf(kind: Kind, object: LiveResource): Sections | undefined {
  const [entry] = kind.toConfig([object]).entries;
  return entry && { [entry.section]: entry.key === null ? entry.value : { [entry.key]: entry.value } };
}

function declaredIn(kind: Kind, sections: Sections): DesiredResource {
  return onlyItem(kind.declare(sections, declareServices).resources);
}

function isValid(kind: Kind, sections: Sections): boolean {
  return kind.declare(sections, declareServices).findings.every(({ severity }) => severity !== 'error');
}

function configEditsOf(kind: Kind, sections: Sections, object: LiveResource): readonly ConfigEdit[] | NotDeclarable {
  return kind.configEdits?.(declaredIn(kind, sections), object, sections) ?? { reason: 'this kind has no configEdits' };
}

function applyEdits(sections: Sections, edits: readonly ConfigEdit[]): Sections {
  const after = edits.reduce<Json>((value, { path, value: newValue }) => setIn(value, path, newValue), sections);
  return isJsonObject(after) ? after : {};
}

/** Removes members whose value is undefined. */
function withoutUndefined(sections: Sections): Json {
  return JSON.parse(JSON.stringify(sections));
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('the kind %s', (name, kind) => {
  let samples: fc.Arbitrary<ResourceSample>;
  beforeAll(async () => {
    samples = await samplesOf(name);
  });

  it('edits the configuration so that it declares the live resource, or gives the reason why it cannot', () => {
    assertProperty(
      fc.property(samples, samples, (before, after) => {
        const sections = sectionsOf(kind, objectOf(kind, before));
        fc.pre(sections !== undefined);
        const object = objectOf(kind, after);
        const edits = configEditsOf(kind, sections, object);
        const [notDeclarable] = kind.toConfig([object]).notDeclarable;
        if ('reason' in edits) expect(edits.reason).toBe(notDeclarable?.reason);
        else {
          const desired = declaredIn(kind, applyEdits(sections, edits));
          expect([notDeclarable, differencesOf(kind, desired, object, NOW)]).toEqual([undefined, []]);
        }
      }),
      RUNS,
    );
  });

  it('keeps a valid configuration valid where the live resource can be declared without an error', () => {
    assertProperty(
      fc.property(samples, samples, (before, after) => {
        const [sections, exported] = [before, after].map((sample) => sectionsOf(kind, objectOf(kind, sample)));
        fc.pre(sections !== undefined && exported !== undefined && isValid(kind, sections) && isValid(kind, exported));
        const edits = configEditsOf(kind, sections, objectOf(kind, after));
        expect('reason' in edits ? edits : isValid(kind, applyEdits(sections, edits))).toBe(true);
      }),
      RUNS,
    );
  });

  it('edits only the entry of the resource in question', () => {
    assertProperty(
      fc.property(samples, samples, (before, after) => {
        const sections = sectionsOf(kind, objectOf(kind, before));
        fc.pre(sections !== undefined);
        const edits = configEditsOf(kind, sections, objectOf(kind, after));
        const { path } = declaredIn(kind, sections);
        for (const edit of 'reason' in edits ? [] : edits) expect(edit.path.slice(0, path.length)).toEqual(path);
      }),
      RUNS,
    );
  });

  it('leaves a configuration as it is that already declares the live resource', () => {
    assertProperty(
      fc.property(samples, (sample) => {
        const sections = sectionsOf(kind, objectOf(kind, sample));
        fc.pre(sections !== undefined);
        const edits = configEditsOf(kind, sections, { ...objectOf(kind, sample), fields: declaredIn(kind, sections).fields });
        expect('reason' in edits ? edits : withoutUndefined(applyEdits(sections, edits))).toEqual(withoutUndefined(sections));
      }),
      RUNS,
    );
  });
});
