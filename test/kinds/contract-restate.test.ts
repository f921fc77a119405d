/** What every kind must keep when it says how the sources become what is live (`drift accept`), over the sides that its column hands out. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { setIn } from '../../src/drift/accept/document-edits.ts';
import { kinds } from '../../src/kinds/index.ts';
import {
  type ConfigEdit,
  type DesiredResource,
  isLiveObject,
  type Kind,
  type LiveResource,
  type NotEditable,
  type Sections,
} from '../../src/kinds/kind.ts';
import { isJsonObject, type Json } from '../../src/model/json.ts';
import { differencesOf } from '../../src/plan/diff-resources.ts';
import { rounds } from '../support/figures.ts';
import { theOnly, tools } from './answers.ts';
import { liveOf, type Side, sidesOf } from './sides.ts';

const RUNS = { numRuns: rounds(100, 2000) };

/** Before every time of the sides, so that none of them is over. */
const NOW = 0;

/** A side as a live object; all of them have one name. */
function objectOf(kind: Kind, side: Side): LiveResource {
  const live = liveOf(kind, side);
  return isLiveObject(live) ? { ...live, label: 'p' } : live;
}

/** Sections that declare a live object as it is; none where nothing can. */
function sectionsOf(kind: Kind, object: LiveResource): Sections | undefined {
  const [entry] = kind.toConfig([object]).entries;
  return entry && { [entry.section]: entry.key === null ? entry.value : { [entry.key]: entry.value } };
}

function declaredIn(kind: Kind, sections: Sections): DesiredResource {
  return theOnly(kind.declare(sections, tools).resources);
}

function isValid(kind: Kind, sections: Sections): boolean {
  return kind.declare(sections, tools).findings.every(({ severity }) => severity !== 'error');
}

function restated(kind: Kind, sections: Sections, object: LiveResource): readonly ConfigEdit[] | NotEditable {
  return kind.configEdits?.(declaredIn(kind, sections), object, sections) ?? { reason: 'nothing of this kind is accepted' };
}

function applied(sections: Sections, statements: readonly ConfigEdit[]): Sections {
  const after = statements.reduce<Json>((value, { path, value: said }) => setIn(value, path, said), sections);
  return isJsonObject(after) ? after : {};
}

/** Members that hold nothing are none. */
function plain(sections: Sections): Json {
  return JSON.parse(JSON.stringify(sections));
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  let sides: fc.Arbitrary<Side>;
  beforeAll(async () => {
    sides = await sidesOf(name);
  });

  it('declares what is live once the sources say what it states, and says why where nothing can', () => {
    fc.assert(
      fc.property(sides, sides, (before, after) => {
        const sections = sectionsOf(kind, objectOf(kind, before));
        fc.pre(sections !== undefined);
        const object = objectOf(kind, after);
        const statements = restated(kind, sections, object);
        const [notExportable] = kind.toConfig([object]).notExportable;
        if ('reason' in statements) expect(statements.reason).toBe(notExportable?.reason);
        else {
          const desired = declaredIn(kind, applied(sections, statements));
          expect([notExportable, differencesOf(kind, desired, object, NOW)]).toEqual([undefined, []]);
        }
      }),
      RUNS,
    );
  });

  it('keeps valid sources valid, where what is live can be declared without a mistake', () => {
    fc.assert(
      fc.property(sides, sides, (before, after) => {
        const [was, is] = [before, after].map((side) => sectionsOf(kind, objectOf(kind, side)));
        fc.pre(was !== undefined && is !== undefined && isValid(kind, was) && isValid(kind, is));
        const statements = restated(kind, was, objectOf(kind, after));
        expect('reason' in statements ? statements : isValid(kind, applied(was, statements))).toBe(true);
      }),
      RUNS,
    );
  });

  it('speaks of this resource alone', () => {
    fc.assert(
      fc.property(sides, sides, (before, after) => {
        const sections = sectionsOf(kind, objectOf(kind, before));
        fc.pre(sections !== undefined);
        const statements = restated(kind, sections, objectOf(kind, after));
        const { path } = declaredIn(kind, sections);
        for (const statement of 'reason' in statements ? [] : statements) expect(statement.path.slice(0, path.length)).toEqual(path);
      }),
      RUNS,
    );
  });

  it('leaves sources alone that declare what is live', () => {
    fc.assert(
      fc.property(sides, (side) => {
        const sections = sectionsOf(kind, objectOf(kind, side));
        fc.pre(sections !== undefined);
        const statements = restated(kind, sections, { ...objectOf(kind, side), fields: declaredIn(kind, sections).fields });
        expect('reason' in statements ? statements : plain(applied(sections, statements))).toEqual(plain(sections));
      }),
      RUNS,
    );
  });
});
