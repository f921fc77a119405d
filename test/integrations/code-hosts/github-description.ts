/** What GitHub's OpenAPI description allows of a request and of its response: `github-operations.json`, which `npm run generate` makes. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { lazy } from '../../../src/core/config/lazy.ts';
import { isObject } from '../../../src/core/model/json.ts';
import { fillIn } from '../../support/fill-in.ts';
import type { Schema } from '../../support/published-types.ts';
import type { CannedResponse, ReceivedRequest } from './double.ts';

/** The schemas of one operation; null where nothing is taken. */
interface Operation {
  readonly path: Schema | null;
  readonly query: Schema | null;
  readonly body: Schema | null;
  /** By status. */
  readonly responses: { readonly [status: string]: Schema | null };
}

interface Description {
  readonly error: Schema;
  /** By method and path, with `{parameters}`. */
  readonly operations: { readonly [name: string]: Operation };
}

const description = lazy(() => {
  const { error, operations }: Description = JSON.parse(readFileSync(new URL('github-operations.json', import.meta.url), 'utf8'));
  const patterns = Object.entries(operations).map(([name, operation]) => {
    return { operation, pattern: new RegExp(`^${name.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
  });
  return { error, patterns };
});

/** Finds the operation of a request, and the parameters that the request has in its path. */
function findOperation({ method, path }: ReceivedRequest) {
  for (const { operation, pattern } of description().patterns) {
    const match = pattern.exec(`${method} ${path}`);
    if (match) return { ...operation, pathParameters: { ...match.groups } };
  }
  return undefined;
}

/** Returns what the description does not allow of a request, as sentences. */
export function requestViolations(request: ReceivedRequest): readonly string[] {
  const { method, path, query, body } = request;
  const operation = findOperation(request);
  if (!operation) return [`${method} ${path} is not described`];
  return [
    ...violations(parameterSchemas, 'path', operation.path, operation.pathParameters),
    ...violations(parameterSchemas, 'query', operation.query, Object.fromEntries(query)),
    ...violations(bodySchemas, 'body', operation.body, body),
  ].map((each) => `${method} ${path}: ${each}`);
}

/**
 * Fills in the members that the description requires of a response and its author left out. Returns the response, and what the description
 * does not allow of it, as sentences. Error statuses that it does not list have a basic error; those of gateways (5xx) may have any body.
 */
export function describeResponse(request: ReceivedRequest, response: CannedResponse): readonly [CannedResponse, readonly string[]] {
  const { status, body } = response;
  const responses = findOperation(request)?.responses ?? {};
  const isListed = Object.hasOwn(responses, String(status));
  const at = `${request.method} ${request.path}: HTTP ${status}`;
  if (!isListed && status < 300) return [response, [`${at} is not described`]];
  if (!isListed && (status >= 500 || body === undefined)) return [response, []];
  const schema = isListed ? (responses[status] ?? null) : description().error;
  const filled = schema ? fillIn(schema, body) : body;
  return [{ ...response, body: filled }, violations(bodySchemas, 'body', schema, filled).map((each) => `${at}: ${each}`)];
}

interface Schemas {
  readonly ajv: Ajv;
  readonly compiled: WeakMap<Schema, ValidateFunction>;
}

const bodySchemas: Schemas = { ajv: new Ajv({ strict: false, allErrors: true }), compiled: new WeakMap() };
/** Parameters are texts, whatever their type is. */
const parameterSchemas: Schemas = { ajv: new Ajv({ strict: false, allErrors: true, coerceTypes: true }), compiled: new WeakMap() };

/** Returns the violations of a part of a message; without a schema, it has to be empty. */
function violations({ ajv, compiled }: Schemas, part: string, schema: Schema | null, value: unknown): readonly string[] {
  if (!schema) return value === undefined || (isObject(value) && Object.keys(value).length === 0) ? [] : [`no ${part} is described`];
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: part })];
}
