/** The request bodies that GitHub refuses: too long, a missing member, an unknown value (github/rest-api-description; "Body is too long"). */
import type { CannedResponse, ReceivedRequest } from './double.ts';

const MAX_BODY = 65_536;
const MAX_SUMMARY = 65_535;
const MAX_ANNOTATIONS = 50;

type Members = { readonly [member: string]: unknown };

export const NOT_FOUND: CannedResponse = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
};
export const FORBIDDEN: CannedResponse = { status: 403, body: { message: 'Resource not accessible by integration' } };

function invalid(message: string): CannedResponse {
  return { status: 422, body: { message: 'Validation Failed', errors: [{ code: 'unprocessable', message }] } };
}

/** Returns the members of an object; none of any other value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isOneOf(value: unknown, ...values: readonly string[]): boolean {
  return value === undefined || values.some((each) => each === value);
}

/** Returns the refusal of a text, whose length is counted in Unicode characters; null if it is valid. */
export function bodyError({ body: text }: Members): CannedResponse | null {
  if (typeof text !== 'string' || text === '') return invalid('body is missing');
  return [...text].length > MAX_BODY ? invalid('Body is too long (maximum is 65536 characters)') : null;
}

/** Returns the refusal of an issue; null if it is valid. Only a new one needs a title. */
export function issueError(body: ReceivedRequest['body'], isNew: boolean): CannedResponse | null {
  if (isNew && (typeof body.title !== 'string' || body.title === '')) return invalid('title is missing');
  if (!isOneOf(body.state, 'open', 'closed')) return invalid('state is invalid');
  if (!isOneOf(body.state_reason, 'completed', 'not_planned', 'duplicate', 'reopened')) return invalid('state_reason is invalid');
  return body.body === undefined ? null : bodyError(body);
}

/** Returns the refusal of a check run; null if it is valid. */
export function outputError(body: ReceivedRequest['body'], isNew: boolean): CannedResponse | null {
  if (isNew && (typeof body.name !== 'string' || typeof body.head_sha !== 'string')) return invalid('name and head_sha are required');
  if (body.status === 'completed' && body.conclusion === undefined) return invalid('conclusion is required');
  const conclusions = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'stale', 'timed_out'];
  if (!isOneOf(body.conclusion, ...conclusions)) return invalid('conclusion is invalid');
  const { title, summary } = membersOf(body.output);
  if (typeof title !== 'string' || typeof summary !== 'string') return invalid('title and summary are required');
  if ([...summary].length > MAX_SUMMARY) return invalid('summary is too long');
  const annotations = annotationsOf(body);
  if (annotations.length > MAX_ANNOTATIONS) return invalid('no more than 50 annotations');
  return annotations.every(isAnnotation) ? null : invalid('an annotation lacks something');
}

/** Returns the annotations of a request. */
export function annotationsOf({ output }: Members): readonly unknown[] {
  const { annotations } = membersOf(output);
  return Array.isArray(annotations) ? annotations : [];
}

function isAnnotation(value: unknown): boolean {
  const { path, message, annotation_level: level, start_line: start, end_line: end } = membersOf(value);
  const isPlaced = [start, end].every((line) => Number.isInteger(line) && Number(line) > 0);
  return (
    isPlaced &&
    typeof path === 'string' &&
    typeof message === 'string' &&
    level !== undefined &&
    isOneOf(level, 'notice', 'warning', 'failure')
  );
}
