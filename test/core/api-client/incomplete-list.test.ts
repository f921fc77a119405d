import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/core/api-client/request.ts';
import { errorOf, READ_V3, READ_V4 } from './harness.ts';
import { agentOfEach, scripting } from './scripted.ts';
import { against } from './servers.ts';

const scripted = scripting(agentOfEach());

const LIST: ApiRequest = { ...READ_V4, isList: true };
const HREF = 'https://services.example.com/api/v4/things?page=2';

describe('a list that says itself that it is not whole', () => {
  it.each<[string, object, string]>([
    ['`next` is a text', { next: HREF }, 'its `next` names another page'],
    ['`has_more` is true', { has_more: true }, 'its `has_more` is true'],
    ['`pages` is above 1', { pages: 2 }, 'it is one of 2 pages'],
    ['`pages` is above 1, as a text', { pages: '12' }, 'it is one of 12 pages'],
    ['`total_items` is negative', { total_items: -1 }, 'its `total_items` is -1'],
    ['`total_items` is fractional', { total_items: 1.5 }, 'its `total_items` is 1.5'],
    ['`total_items` is a fractional text', { total_items: '0.5' }, 'its `total_items` is 0.5'],
  ])('is not used, and not asked for again, where %s', async (_name, members, why) => {
    const answer = { status: 200, body: { items: [], total_items: 0, ...members } };
    const { service } = scripted(LIST, [answer]);
    const error = await errorOf(service.send(LIST));
    const what = `the answer (HTTP 200) cannot be used: it is not the whole list: ${why}`;
    expect(error).toMatchObject({ category: 'malformed', what, advice: expect.stringContaining('the whole list with one request') });
    expect(service.counts).toEqual({ reads: 1, writes: 0, retries: 0 });
  });

  it('is not used on v3 either', async () => {
    const list: ApiRequest = { ...READ_V3, isList: true };
    const { service } = scripted(list, [{ status: 200, body: { error: 0, configs: [], total_items: -1 } }]);
    expect(await errorOf(service.send(list))).toMatchObject({ category: 'malformed' });
  });

  it.each([
    `<${HREF}>; rel=next`,
    `<${HREF}>; rel="next"`,
    `<${HREF}>; title="x"; Rel = "Last NEXT"`,
    `</docs>; rel="describedby", <${HREF}>; rel="next"`,
  ])('is not used where its Link header names the next page: %s', async (link) => {
    const { service } = scripted(LIST, [{ status: 200, headers: { link }, body: { items: [] } }]);
    expect(await errorOf(service.send(LIST))).toMatchObject({ category: 'malformed', message: expect.stringContaining('`Link`') });
  });

  it('is not used where the second of several Link headers names the next page', async () => {
    const { service } = await against((_request, response) => {
      response.setHeader('link', ['</docs>; rel="describedby"', `<${HREF}>; rel="next"`]).end('{"items":[]}');
    });
    expect(await errorOf(service.send(LIST))).toMatchObject({ category: 'malformed', message: expect.stringContaining('`Link`') });
  });
});

describe('a list that may be whole', () => {
  it.each<[object, string]>([
    [{ next: null }, ''],
    [{ next: '' }, ''],
    [{ has_more: false, pages: 1 }, ''],
    [{ pages: 0, total_items: '3' }, ''],
    [{ total_items: null }, ''],
    [{}, `<${HREF}>; rel=prev, </a>; rel="first last nextafter"; title="rel=next of kin"`],
  ])('is used: %j %s', async (members, link) => {
    const { service } = scripted(LIST, [{ status: 200, ...(link === '' ? {} : { headers: { link } }), body: members }]);
    expect((await service.send(LIST)).body).toEqual(members);
  });

  it('is anything else than a list, whatever members it has', async () => {
    const body = { id: 'a', next: 'b', pages: 3, total_items: -1 };
    const { service } = scripted(READ_V4, [{ status: 200, headers: { link: `<${HREF}>; rel=next` }, body }]);
    expect((await service.send(READ_V4)).body).toEqual(body);
  });
});
