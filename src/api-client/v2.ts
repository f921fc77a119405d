import { type ApiVersion, bodyErrorOf, signedForm } from './api-version.ts';
import type { Members } from './sign.ts';

/**
 * API version 2, of which upkeep only reads (api-notes section 7): what is asked stands beside owner and time in the signed message.
 * It travels as a form, because a thousand IDs make a longer URL than services take. Every answer has an integer `error`.
 */
export const v2: ApiVersion = {
  signed: ({ body }) => (isMembers(body) ? body : {}),
  wire: signedForm,
  objection: bodyErrorOf,
};

function isMembers(body: unknown): body is Members {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
