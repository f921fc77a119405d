import { carriesData, type Dialect, encoded, memberOf, type Objection, queryAndJson, queryOnly, type Wire } from './dialect.ts';
import type { Request } from './request.ts';
import type { Signature } from './sign.ts';

/**
 * API version 3: a POST carries its data as `item` inside the signed message of a form (drm-api-v3 section 4), or, where
 * the setting `v3_post` is `json`, as a JSON body beside a signed query (facts.md section 1, table). Every answer has an integer `error`.
 */
export function v3(post: 'form' | 'json'): Dialect {
  const inForm = (request: Request): boolean => carriesData(request) && post === 'form';
  return {
    item: (request) => (inForm(request) ? request.body : undefined),
    wire(request, signature) {
      if (!carriesData(request)) return queryOnly(request, signature);
      return inForm(request) ? signedForm(request, signature) : queryAndJson(request, signature);
    },
    objection,
  };
}

function signedForm(request: Request, signature: Signature): Wire {
  return {
    method: request.method,
    path: request.path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encoded({ msg: signature.msg, sig: signature.sig }),
  };
}

/** 0 is success, another integer a failure, and anything else no answer of this API (drm-api-v3 section 7). */
function objection(body: unknown): Objection | undefined {
  const error = memberOf(body, 'error');
  const code = typeof error === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(error) ? Number(error) : error;
  if (!Number.isSafeInteger(code)) return { fault: 'malformed', what: 'the answer has no integer `error`' };
  if (code === 0) return undefined;
  return { fault: 'refused', what: `the service answered error ${code}` };
}
