import { type ApiVersion, bodyErrorOf, signedForm } from './api-version.ts';
import type { Members } from './sign.ts';

/**
 * API version 2, which upkeep uses only for reading (api-notes section 7): the signed message contains the query beside owner and time.
 * It is sent as a form, because a URL with a thousand IDs would be too long. Every response has an integer `error`.
 */
export const v2: ApiVersion = {
  signed: ({ body }) => (isMembers(body) ? body : {}),
  wire: signedForm,
  objection: bodyErrorOf,
};

function isMembers(body: unknown): body is Members {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
