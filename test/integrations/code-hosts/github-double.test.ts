/** The GitHub for tests notices requests and responses that GitHub's published descriptions do not allow. */
import { expect, test } from 'vitest';
import { cleanUpAfterTest, cleanUpTest } from '../../support/cleanup.ts';
import { GITHUB_TOKEN, type GithubDouble, startGithub } from './github-double.ts';
import { ADA } from './github-store.ts';

const REPO = '/repos/acme/streaming';

/** Starts GitHub, and returns a function that sends a request and takes what was noticed about it, so that it does not fail the test. */
async function openGithub() {
  const github = await startGithub({ tokenUser: ADA });
  cleanUpAfterTest(github.close);
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${GITHUB_TOKEN}` };
    const response = await fetch(github.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const answer: unknown = JSON.parse((await response.text()) || 'null');
    return { status: response.status, answer, violations: github.violations.splice(0).join('\n') };
  };
  return { github, send };
}

test.each([
  ['an unknown path', 'GET', `${REPO}/tickets`, undefined, 'is not described'],
  ['an unknown method', 'PUT', `${REPO}/issues`, {}, 'is not described'],
  ['a path parameter that is no number', 'GET', `${REPO}/issues/seven/comments`, undefined, 'path/issue_number must be number'],
  ['an unknown query parameter', 'GET', `${REPO}/issues?label=x`, undefined, 'query must NOT have additional properties'],
  ['a query parameter that is no number', 'GET', `${REPO}/issues?per_page=all`, undefined, 'query/per_page must be number'],
  ['an unknown value of a query parameter', 'GET', `${REPO}/issues?state=new`, undefined, 'query/state must be equal to one of'],
  ['a body where none is described', 'DELETE', `${REPO}/issues/comments/7`, { id: 7 }, 'no body is described'],
  ['a missing member', 'POST', `${REPO}/issues/7/comments`, {}, "body must have required property 'body'"],
  ['a misspelled member', 'POST', `${REPO}/issues`, { title: 'x', label: ['y'] }, 'body must NOT have additional properties'],
  ['a member of another type', 'POST', `${REPO}/issues/7/comments`, { body: 7 }, 'body/body must be string'],
  ['an unknown value', 'PATCH', `${REPO}/issues/7`, { state_reason: 'done' }, 'body/state_reason must be equal to one of'],
  ['an unknown field of GraphQL', 'POST', '/graphql', { query: '{ viewer { logn } }' }, 'Cannot query field "logn" on type "User"'],
  ['a variable of GraphQL without a value', 'POST', '/graphql', { query: 'query ($id: ID!) { node(id: $id) { id } }' }, '"$id"'],
  ['an unknown member beside a GraphQL query', 'POST', '/graphql', { query: '{ viewer { login } }', args: {} }, 'has no args'],
  [
    'an unknown value in GraphQL',
    'POST',
    '/graphql',
    { query: 'mutation { minimizeComment(input: { subjectId: "x", classifier: OLD }) { clientMutationId } }' },
    'Value "OLD" does not exist in "ReportedContentClassifiers" enum',
  ],
])('the GitHub for tests notices a request with %s', async (_what, method, path, body, expected) => {
  const { send } = await openGithub();
  expect((await send(method, path, body)).violations).toContain(expected);
});

test.each<[what: string, response: Parameters<GithubDouble['respondOnce']>[1], violation: string]>([
  ['an undescribed status', { status: 204 }, 'HTTP 204 is not described'],
  ['another type of body', { status: 201, body: [] }, 'body must be object'],
  ['an undescribed member', { status: 201, body: { hidden: true } }, 'body must NOT have additional properties'],
  ['a member of another type', { status: 201, body: { id: 'x' } }, 'body/id must be integer'],
  ['an undescribed member of a member', { status: 201, body: { user: { name: 'ada', nick: 'a' } } }, 'body/user must'],
  ['an error without a message in a text', { status: 422, body: { message: 7 } }, 'body/message must be string'],
  ['an unlisted error of another form', { status: 409, body: { error: 'conflict' } }, 'body must NOT have additional properties'],
])('the GitHub for tests notices a response with %s', async (_what, response, expected) => {
  const { github, send } = await openGithub();
  github.respondOnce(/^POST .*comments$/, response);
  expect((await send('POST', `${REPO}/issues/7/comments`, { body: 'x' })).violations).toContain(expected);
});

test('a violation that is left fails the test', async () => {
  const github = await startGithub();
  cleanUpAfterTest(github.close);
  const headers = { authorization: `Bearer ${GITHUB_TOKEN}` };
  await fetch(`${github.url}${REPO}/tickets`, { headers });
  await expect(cleanUpTest()).rejects.toThrow(`GET ${REPO}/tickets is not described`);
});

test('the GitHub for tests fills in the members that a described response needs', async () => {
  const { send } = await openGithub();
  const { answer, violations } = await send('POST', `${REPO}/issues/7/comments`, { body: 'x' });
  expect(violations).toBe('');
  expect(answer).toMatchObject({ body: 'x', user: { login: 'ada', site_admin: false, gravatar_id: null }, created_at: 'filled in' });
});

test('the GitHub for tests reports a comment that does not exist as GraphQL does, and that is no violation', async () => {
  const { send } = await openGithub();
  const query = 'mutation ($id: ID!) { unminimizeComment(input: { subjectId: $id }) { clientMutationId } }';
  expect(await send('POST', '/graphql', { query, variables: { id: 'IC_0' } })).toMatchObject({
    violations: '',
    answer: { data: { unminimizeComment: null }, errors: [{ type: 'NOT_FOUND', path: ['unminimizeComment'] }] },
  });
});
