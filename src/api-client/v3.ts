import { type ApiVersion, bodyErrorOf, carriesData, queryAndJson, queryOnly, signedForm } from './api-version.ts';
import type { ApiRequest } from './request.ts';

/**
 * API version 3: a POST carries its data as `item` inside the signed message of a form (drm-api-v3 section 4), or, where the setting
 * `v3_post` is `json`, as a JSON body beside a signed query (api-notes section 1, point 9). Every response has an integer `error`.
 */
export function v3(post: 'form' | 'json'): ApiVersion {
  const inForm = (request: ApiRequest): boolean => carriesData(request) && post === 'form';
  return {
    signed: (request) => (inForm(request) ? { item: request.body } : {}),
    wire(request, signature) {
      if (!carriesData(request)) return queryOnly(request, signature);
      return inForm(request) ? signedForm(request, signature) : queryAndJson(request, signature);
    },
    objection: bodyErrorOf,
  };
}
