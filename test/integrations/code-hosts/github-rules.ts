/** The request bodies that GitHub refuses by limits of length and number, which the types of its description do not contain. */
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

/** Returns the refusal of a text, whose length is counted in Unicode characters; null if it is valid. */
export function bodyError({ body: text }: Members): CannedResponse | null {
  if (typeof text !== 'string' || text === '') return invalid('body is missing');
  return [...text].length > MAX_BODY ? invalid('Body is too long (maximum is 65536 characters)') : null;
}

/** Returns the refusal of an issue; null if it is valid. Only a new one needs a title. */
export function issueError(body: ReceivedRequest['body'], isNew: boolean): CannedResponse | null {
  if (isNew && (typeof body.title !== 'string' || body.title === '')) return invalid('title is missing');
  return body.body === undefined ? null : bodyError(body);
}

/** Returns the refusal of a check run; null if it is valid. */
export function outputError(body: ReceivedRequest['body']): CannedResponse | null {
  if (body.status === 'completed' && body.conclusion === undefined) return invalid('conclusion is required');
  const { summary } = membersOf(body.output);
  if ([...String(summary)].length > MAX_SUMMARY) return invalid('summary is too long');
  return annotationsOf(body).length > MAX_ANNOTATIONS ? invalid('no more than 50 annotations') : null;
}

/** Returns the annotations of a request. */
export function annotationsOf({ output }: Members): readonly unknown[] {
  const { annotations } = membersOf(output);
  return Array.isArray(annotations) ? annotations : [];
}
