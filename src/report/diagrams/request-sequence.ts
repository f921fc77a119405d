/**
 * Builds the request sequence of an account setting: current value, requests in order, future value (drm-api-v3 section 3, scope
 * procedure).
 */
import type { Change } from '../../core/model/change.ts';
import type { AccountSettingDiagram } from '../../core/model/diagram.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import type { PlannedRequest } from '../../core/model/plan.ts';
import { changedMembers, fieldName, valueText } from '../text/field-diff.ts';

/** Maximum number of entries of a list that are shown instead of its length. */
const MAX_LISTED = 8;

/** How requests bring a setting of the account from its value before to its value after. */
export interface RequestSequence {
  readonly type: 'request-sequence';
  readonly before: SequenceState;
  readonly requests: readonly SequenceRequest[];
  readonly after: SequenceState;
  /** Why no request is sent; null if requests are sent, or if the document is a drift report. */
  readonly whyNoRequests: string | null;
}

/** The values of a setting at one time. */
export interface SequenceState {
  readonly title: string;
  readonly values: readonly NamedValue[];
}

/** A field with its value. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** One request with the members of its body. */
export interface SequenceRequest {
  /** Position among all requests of the plan, from 1. */
  readonly number: number;
  readonly request: string;
  readonly values: readonly NamedValue[];
}

/** Builds the sequence of a change from all requests of its plan; `planned` is null for a drift report. */
export function requestSequenceOf(
  { fields }: AccountSettingDiagram,
  { address, blocked }: Pick<Change, 'address' | 'blocked'>,
  planned: readonly PlannedRequest[] | null,
): RequestSequence {
  const valuesOf = (side: 'before' | 'after') =>
    fields.map(({ path, before, after }): NamedValue => {
      const value = side === 'before' ? before : after;
      const changed = side === 'after' && isLong(value) ? changedMembers(before ?? [], after ?? []) : null;
      return { name: fieldName(path), value: changed === null ? shownValue(value) : `${shownValue(value)}: ${changed}` };
    });
  return {
    type: 'request-sequence',
    before: { title: planned ? 'Now' : 'Last applied', values: valuesOf('before') },
    requests: (planned ?? []).flatMap((request, index) =>
      request.addresses.includes(address) ? [sequenceRequest(request, index + 1)] : [],
    ),
    after: { title: planned ? (blocked === null ? 'Then' : 'If it were applied') : 'Live', values: valuesOf('after') },
    whyNoRequests: planned && blocked !== null ? 'blocked: nothing is sent' : null,
  };
}

/** Formats a value; a long list as its length. */
function shownValue(value: Json): string {
  return isLong(value) ? `${value.length} entries` : (valueText(value) ?? '(none)');
}

function isLong(value: Json): value is readonly Json[] {
  return Array.isArray(value) && value.length > MAX_LISTED;
}

function sequenceRequest({ method, path, body }: PlannedRequest, number: number): SequenceRequest {
  const members = isJsonObject(body) ? Object.entries(body) : [];
  return { number, request: `${method} ${path}`, values: members.map(([name, value]) => ({ name, value: shownValue(value) })) };
}
