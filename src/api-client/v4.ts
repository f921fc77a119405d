import { type ApiVersion, carriesData, queryAndJson, queryOnly } from './api-version.ts';

/**
 * API version 4: the signature in the query on every method, data as JSON, errors by HTTP status alone (playlist-api-v4 sections 1 and 5).
 */
export const v4: ApiVersion = {
  signed: () => ({}),
  wire: (request, signature) => (carriesData(request) ? queryAndJson(request, signature) : queryOnly(request, signature)),
  objection: () => undefined,
};
