/** The contract of `diagram`, for every kind that has one: a change from a file may have any fields. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { FieldChange } from '../../../src/core/model/change.ts';
import type { Diagram } from '../../../src/core/model/diagram.ts';
import type { Json } from '../../../src/core/model/json.ts';
import { change, field } from '../../report/documents.ts';
import { assertProperty } from '../../support/property.ts';

const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
const beam = fc.record({ beam: fc.record({ id: fc.oneof(fc.string(), json) }) });
const ad = fc.record({ ad: fc.record({ dur: fc.oneof(fc.integer(), json) }) });
const value: fc.Arbitrary<Json> = fc.oneof(json, fc.array(fc.oneof(beam, ad), { maxLength: 4 }));
const path = fc.oneof(fc.constantFrom('/playlist', '/widevine/content_key_specs/HD/x', '/playready/hd', '/scope', ''), fc.string());
const anyFields = fc.array(
  fc.tuple(path, value, value).map(([at, before, after]) => field(at, before, after)),
  { maxLength: 4 },
);

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

describe.each(kinds.filter((kind) => kind.diagram))('the diagram of a $name', (kind) => {
  it('is built from fields of the change, whatever these contain', () => {
    assertProperty(
      fc.property(anyFields, (fields) => {
        const diagram = kind.diagram?.(change(`${kind.name}/x`, { kind: kind.name, fields }));
        for (const shown of diagram ? fieldsOf(diagram) : []) expect(fields).toContain(shown);
      }),
    );
  });
});
