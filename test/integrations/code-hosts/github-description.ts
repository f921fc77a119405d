/**
 * What GitHub's OpenAPI description allows of a request and of its response. Its types stand for it (package `@octokit/openapi-types`),
 * because the description itself (package `@octokit/openapi`) takes 385 MB.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import { lazy } from '../../../src/core/config/lazy.ts';
import { isObject } from '../../../src/core/model/json.ts';
import { fillIn } from '../../support/fill-in.ts';
import { type PublishedType, readTypes } from '../../support/published-types.ts';
import type { CannedResponse, ReceivedRequest } from './double.ts';

const description = lazy(() => {
  const typeOf = readTypes('@octokit/openapi-types/types.d.ts');
  const paths = typeOf('paths');
  const templates = paths
    .names()
    .map((name) => ({ name, pattern: new RegExp(`^${name.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }))
    .toSorted((a, b) => a.name.split('{').length - b.name.split('{').length);
  return { paths, templates, error: typeOf('components').member('schemas')?.member('basic-error') };
});

/** An operation of the description, and the parameters that a request has in its path. */
interface Operation {
  readonly type: PublishedType;
  readonly pathParameters: { readonly [name: string]: string };
}

/** Finds the operation of a request; of several paths that match, the one with the fewest parameters. */
function findOperation({ method, path }: ReceivedRequest): Operation | undefined {
  const { paths, templates } = description();
  for (const { name, pattern } of templates) {
    const match = pattern.exec(path);
    const type = match ? paths.member(name)?.member(method.toLowerCase()) : undefined;
    if (match && type) return { type, pathParameters: { ...match.groups } };
  }
  return undefined;
}

/** Returns what the description does not allow of a request, as sentences. */
export function requestViolations(request: ReceivedRequest): readonly string[] {
  const { method, path, query, body } = request;
  const operation = findOperation(request);
  if (!operation) return [`${method} ${path} is not described`];
  const parameters = operation.type.member('parameters');
  return [
    ...violations(parameterSchemas, 'path', parameters?.member('path'), { ...operation.pathParameters }),
    ...violations(parameterSchemas, 'query', parameters?.member('query'), Object.fromEntries(query)),
    ...violations(bodySchemas, 'body', jsonOf(operation.type.member('requestBody')), body),
  ].map((each) => `${method} ${path}: ${each}`);
}

/**
 * Fills in the members that the description requires of a response and its author left out. Returns the response, and what the description
 * does not allow of it, as sentences. Error statuses that it does not list have a basic error; those of gateways (5xx) may have any body.
 */
export function describeResponse(request: ReceivedRequest, response: CannedResponse): readonly [CannedResponse, readonly string[]] {
  const { status, body } = response;
  const listed = findOperation(request)?.type.member('responses')?.member(String(status));
  const at = `${request.method} ${request.path}: HTTP ${status}`;
  if (!listed && status < 300) return [response, [`${at} is not described`]];
  if (!listed && (status >= 500 || body === undefined)) return [response, []];
  const type = listed ? jsonOf(listed) : description().error;
  const filled = type ? fillIn(type.schema(), body) : body;
  return [{ ...response, body: filled }, violations(bodySchemas, 'body', type, filled).map((each) => `${at}: ${each}`)];
}

function jsonOf(message: PublishedType | undefined): PublishedType | undefined {
  return message?.member('content')?.member('application/json');
}

interface Schemas {
  readonly ajv: Ajv;
  readonly compiled: WeakMap<PublishedType, ValidateFunction>;
}

const bodySchemas: Schemas = { ajv: new Ajv({ strict: false, allErrors: true }), compiled: new WeakMap() };
/** Parameters are texts, whatever their type is. */
const parameterSchemas: Schemas = { ajv: new Ajv({ strict: false, allErrors: true, coerceTypes: true }), compiled: new WeakMap() };

/** Returns the violations of a part of a message; without a type, it has to be empty. */
function violations({ ajv, compiled }: Schemas, part: string, type: PublishedType | undefined, value: unknown): readonly string[] {
  if (!type) return value === undefined || (isObject(value) && Object.keys(value).length === 0) ? [] : [`no ${part} is described`];
  const validate = compiled.get(type) ?? ajv.compile(type.schema());
  compiled.set(type, validate);
  return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: part })];
}
