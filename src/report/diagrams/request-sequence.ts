/**
 * Builds the request sequence of an account setting: current value, requests in order, future value (drm-api-v3 section 3, scope
 * procedure).
 */
import type { Change } from '../../model/change.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import type { PlannedRequest } from '../../model/plan.ts';
import { fieldName, valueText } from '../text/field-diff.ts';
import type { RequestSequence, SequenceStep, Value } from './model.ts';

/** A request by its place among all of the plan, from 1. */
export interface Numbered extends PlannedRequest {
  readonly number: number;
}

/** The way of a setting; `requests` are those that carry it out, null where the document is not about requests. */
export function requestSequenceOf({ fields, blocked }: Change, requests: readonly Numbered[] | null): RequestSequence {
  const side = (which: 'before' | 'after') =>
    fields.flatMap((field): readonly Value[] => [{ name: fieldName(field.path), value: valueText(field[which]) ?? '(none)' }]);
  return {
    type: 'steps',
    from: { title: requests ? 'Now' : 'Last applied', values: side('before') },
    steps: (requests ?? []).map(stepOf),
    to: { title: requests ? 'Then' : 'Live', values: side('after') },
    without: requests && blocked !== null ? 'blocked: nothing is sent' : null,
  };
}

function stepOf({ number, method, path, body }: Numbered): SequenceStep {
  return { number, request: `${method} ${path}`, values: isJsonObject(body) ? Object.entries(body).map(memberOf) : [] };
}

function memberOf([name, value]: readonly [string, Json]): Value {
  return { name, value: valueText(value) ?? '(none)' };
}
