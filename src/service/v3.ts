import { carriesData, type Dialect, objectionOfError, queryAndJson, queryOnly, signedForm } from './dialect.ts';
import type { Request } from './request.ts';

/**
 * API version 3: a POST carries its data as `item` inside the signed message of a form (drm-api-v3 section 4), or, where
 * the setting `v3_post` is `json`, as a JSON body beside a signed query (facts.md section 1, table). Every answer has an integer `error`.
 */
export function v3(post: 'form' | 'json'): Dialect {
  const inForm = (request: Request): boolean => carriesData(request) && post === 'form';
  return {
    signed: (request) => (inForm(request) ? { item: request.body } : {}),
    wire(request, signature) {
      if (!carriesData(request)) return queryOnly(request, signature);
      return inForm(request) ? signedForm(request, signature) : queryAndJson(request, signature);
    },
    objection: objectionOfError,
  };
}
