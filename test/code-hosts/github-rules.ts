/** What GitHub refuses: too long, missing, not one of the values (github/rest-api-description, the request bodies; "Body is too long"). */
import type { Asked, Reply } from './double.ts';

const LONGEST = 65_536;
const LONGEST_SUMMARY = 65_535;
const MOST_ANNOTATIONS = 50;

type Members = { readonly [member: string]: unknown };

export const MISSING: Reply = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
};
export const NOT_ALLOWED: Reply = { status: 403, body: { message: 'Resource not accessible by integration' } };

function invalid(message: string): Reply {
  return { status: 422, body: { message: 'Validation Failed', errors: [{ code: 'unprocessable', message }] } };
}

/** The members of an object; none of what is no object. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isIn(value: unknown, ...values: readonly string[]): boolean {
  return value === undefined || values.some((each) => each === value);
}

/** Why a text is refused, counted in Unicode characters; null where it is taken. */
export function refusedBody({ body: text }: Members): Reply | null {
  if (typeof text !== 'string' || text === '') return invalid('body is missing');
  return [...text].length > LONGEST ? invalid('Body is too long (maximum is 65536 characters)') : null;
}

/** The same for an issue: a new one needs a title, a change only what it changes. */
export function refusedIssue(body: Asked['body'], isNew: boolean): Reply | null {
  if (isNew && (typeof body.title !== 'string' || body.title === '')) return invalid('title is missing');
  if (!isIn(body.state, 'open', 'closed')) return invalid('state is none');
  if (!isIn(body.state_reason, 'completed', 'not_planned', 'duplicate', 'reopened')) return invalid('state_reason is none');
  return body.body === undefined ? null : refusedBody(body);
}

/** The same for what a check run says. */
export function refusedOutput(body: Asked['body'], isNew: boolean): Reply | null {
  if (isNew && (typeof body.name !== 'string' || typeof body.head_sha !== 'string')) return invalid('name and head_sha are required');
  if (body.status === 'completed' && body.conclusion === undefined) return invalid('conclusion is required');
  const conclusions = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'stale', 'timed_out'];
  if (!isIn(body.conclusion, ...conclusions)) return invalid('conclusion is none');
  const { title, summary } = membersOf(body.output);
  if (typeof title !== 'string' || typeof summary !== 'string') return invalid('title and summary are required');
  if ([...summary].length > LONGEST_SUMMARY) return invalid('summary is too long');
  const annotations = annotationsOf(body);
  if (annotations.length > MOST_ANNOTATIONS) return invalid('no more than 50 annotations');
  return annotations.every(isAnnotation) ? null : invalid('an annotation lacks something');
}

/** The annotations of a request. */
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
    isIn(level, 'notice', 'warning', 'failure')
  );
}
