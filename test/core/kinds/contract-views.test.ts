/** The contract of the views, for every kind that has some: a change from a file may have any fields. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldChange } from '../../../src/core/model/change.ts';
import type { Diagram } from '../../../src/core/model/diagram.ts';
import type { Json } from '../../../src/core/model/json.ts';
import { KIND_VIEWS } from '../../../src/report/kind-views.ts';
import { change, field } from '../../report/documents.ts';
import { assertProperty, sample } from '../../support/property.ts';

const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
// Mostly what a kind can draw: a list with one odd entry has no diagram.
const beam = fc.record({ beam: fc.record({ id: mostly(fc.string({ minLength: 1 }), json) }) });
const ad = fc.record({ ad: fc.record({ dur: mostly(fc.integer(), json) }) });
const value: fc.Arbitrary<Json> = mostly(fc.array(fc.oneof(beam, ad), { maxLength: 4 }), json);
const path = mostly(fc.constantFrom('/playlist', '/widevine/content_key_specs/HD/x', '/playready/hd', '/scope', ''), fc.string());
const anyFields = fc.array(
  fc.tuple(path, value, value).map(([at, before, after]) => field(at, before, after)),
  { maxLength: 8 },
);

function mostly<Value extends Json>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: other });
}

function fieldsOf(diagram: Diagram): readonly FieldChange[] {
  switch (diagram.type) {
    case 'playlist':
      return [diagram.field];
    case 'policy':
      return diagram.settings.map((setting) => setting.field);
    case 'account-setting':
      return diagram.fields;
  }
}

describe.each([...KIND_VIEWS].filter(([, views]) => views.diagram))('the diagram of a %s', (kind, views) => {
  const shownOf = (fields: readonly FieldChange[]) => {
    const diagram = views.diagram?.(change(`${kind}/x`, { kind, fields }));
    return diagram ? fieldsOf(diagram) : [];
  };

  it('is built from fields of the change, whatever these contain', () => {
    assertProperty(
      fc.property(anyFields, (fields) => {
        expect(shownOf(fields).filter((shown) => !fields.includes(shown))).toEqual([]);
      }),
    );
  });

  it('exists for some of the changes with which the contract is tested', () => {
    expect(sample(anyFields, 50).flatMap(shownOf)).not.toEqual([]);
  });
});
