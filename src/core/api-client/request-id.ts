import type { Redact } from './redact.ts';
import type { HttpResponse } from './transport.ts';

/** The headers by which services and the gateways in front of them name a request, the service's own first. */
export const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-services',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-amz-apigw-id',
  'x-amz-cf-id',
  'x-amzn-trace-id',
  'x-trace-id',
  'cf-ray',
] as const;

/** Maximum length of a request ID, characters. */
const MAX_LENGTH = 128;

/** Returns the ID that a response names for its request: the first that is short, printable and holds no secret; null without one. */
export function requestIdIn({ header }: Pick<HttpResponse, 'header'>, redact: Redact): string | null {
  const ids = REQUEST_ID_HEADERS.flatMap((name) => header(name)?.trim() ?? []);
  return ids.find((id) => id.length <= MAX_LENGTH && /^[\w.:;=/+@-]+$/.test(id) && redact(id) === id) ?? null;
}
