/**
 * What GitHub's OpenAPI description allows of the requests that upkeep sends, and of their responses: `github-operations.json`, from the types
 * of package `@octokit/openapi-types`. The description itself (package `@octokit/openapi`) takes 385 MB, and its types take seconds to read.
 */
import { expect, test } from 'vitest';
import { type PublishedType, readTypes, type Schema } from '../support/published-types.ts';

/** The operations that upkeep uses. */
const OPERATIONS = [
  'GET /user',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'GET /repos/{owner}/{repo}/issues',
  'POST /repos/{owner}/{repo}/issues',
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'POST /repos/{owner}/{repo}/check-runs',
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
];

/** Returns the schema of a JSON message; null where it has no body. */
function bodyOf(message: PublishedType | undefined): Schema | null {
  return message?.member('content')?.member('application/json')?.schema() ?? null;
}

function describeOperation(operation: PublishedType) {
  const parameters = operation.member('parameters');
  const responses = operation.member('responses');
  return {
    path: parameters?.member('path')?.schema() ?? null,
    query: parameters?.member('query')?.schema() ?? null,
    body: bodyOf(operation.member('requestBody')),
    responses: Object.fromEntries(responses?.names().map((status) => [status, bodyOf(responses.member(status))]) ?? []),
  };
}

test('the operations of GitHub are those of its published types', async () => {
  const typeOf = readTypes('@octokit/openapi-types/types.d.ts');
  const paths = typeOf('paths');
  const operations = OPERATIONS.map((name) => {
    const [method = '', path = ''] = name.split(' ');
    const operation = paths.member(path)?.member(method.toLowerCase());
    if (!operation) throw new Error(`${name} is not described`);
    return `${JSON.stringify(name)}: ${JSON.stringify(describeOperation(operation))}`;
  });
  const error = typeOf('components').member('schemas')?.member('basic-error')?.schema();
  const text = `{"error": ${JSON.stringify(error)},\n"operations": {\n${operations.join(',\n')}\n}}\n`;
  await expect(text).toMatchFileSnapshot('../integrations/code-hosts/github-operations.json');
});
