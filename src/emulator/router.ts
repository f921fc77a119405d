/** Finds the endpoint of a request by its method and path. */

/** One endpoint: a path may have `:name` parts, and has no trailing slash. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** The endpoint of a request, and the decoded values of the `:name` parts of its path. */
export interface RouteMatch<T extends Endpoint> {
  readonly endpoint: T;
  readonly params: { readonly [name: string]: string };
}

/**
 * Returns the first endpoint with the request's method and path, undefined where there is none. One trailing slash means nothing.
 * @throws URIError where the path is not well encoded
 */
export function findRoute<T extends Endpoint>(endpoints: readonly T[], method: string, path: string): RouteMatch<T> | undefined {
  const parts = partsOf(path).map(decodeURIComponent);
  for (const endpoint of endpoints) {
    const params = endpoint.method === method ? paramsOf(partsOf(endpoint.path), parts) : undefined;
    if (params !== undefined) return { endpoint, params };
  }
  return undefined;
}

function partsOf(path: string): readonly string[] {
  return path.replace(/(?<=.)\/$/, '').split('/');
}

/** The values of the `:name` parts; undefined where the path is another one. */
function paramsOf(pattern: readonly string[], parts: readonly string[]): { readonly [name: string]: string } | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: { [name: string]: string } = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (expected.startsWith(':') && part !== '') params[expected.slice(1)] = part;
    else if (expected !== part) return undefined;
  }
  return params;
}
