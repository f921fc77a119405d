/** GitHub's GraphQL API for tests: requests are validated and executed by its published schema (package `@octokit/graphql-schema`). */
import { readFileSync } from 'node:fs';
import { buildSchema, executeSync, GraphQLError, parse, validate } from 'graphql';
import { lazy } from '../../../src/core/config/lazy.ts';
import { isObject } from '../../../src/core/model/json.ts';

/** The package exports its schema only together with a slow validator. */
const FILE = new URL('../../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url);
const schema = lazy(() => buildSchema(readFileSync(FILE, 'utf8'), { assumeValid: true, assumeValidSDL: true }));

/** The fields of queries and mutations, as values or as functions of their arguments. */
export type Fields = { readonly [field: string]: unknown };

/** The body of a response, and what the schema does not allow of the request or of the response. */
export interface GraphqlResult {
  readonly body: object;
  readonly violations: readonly string[];
}

/** Executes a request. Errors that fields throw on purpose, such as `notFound`, are part of the response. */
export function executeGraphql(request: { readonly [member: string]: unknown }, fields: Fields): GraphqlResult {
  const { query, variables, ...rest } = request;
  const { data, errors = [] } = execute(String(query), isObject(variables) ? variables : {}, fields);
  const unknown = Object.keys(rest).filter((name) => name !== 'operationName');
  return {
    body: { ...(data === undefined ? {} : { data }), ...(errors.length === 0 ? {} : { errors: errors.map(errorJson) }) },
    violations: [
      ...unknown.map((name) => `a GraphQL request has no ${name}`),
      ...errors.filter(({ extensions }) => extensions.type === undefined).map(({ message }) => `GraphQL: ${message}`),
    ],
  };
}

/** Creates the error of a node that does not exist. */
export function notFound(id: unknown): GraphQLError {
  return new GraphQLError(`Could not resolve to a node with the global id of '${String(id)}'`, { extensions: { type: 'NOT_FOUND' } });
}

function execute(query: string, variables: Fields, fields: Fields): { readonly data?: unknown; readonly errors?: readonly GraphQLError[] } {
  try {
    const document = parse(query);
    const errors = validate(schema(), document);
    if (errors.length > 0) return { errors };
    return executeSync({ schema: schema(), document, rootValue: fields, variableValues: { ...variables } });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** GitHub gives the type of an error beside its message. */
function errorJson(error: GraphQLError): object {
  const { extensions, ...rest } = error.toJSON();
  return { ...extensions, ...rest };
}
