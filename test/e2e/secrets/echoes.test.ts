/** A service may repeat what it was sent, and what it knows of the account, wherever it likes: none of it is shown. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/core/model/json.ts';
import { FORMATS } from '../../../src/report/document.ts';
import { CREDENTIALS, expectNoLeak, type OutputText, textsIn } from '../../support/canary.ts';
import { proving } from '../../support/figures.ts';
import { API_KEY, createTestProject, OWNER, temporaryFolder } from '../../support/harness.ts';
import type { CannedResponse, SentRequest } from '../../support/recorder.ts';
import { beams } from '../accounts.ts';
import { DESIRED, withLeakCheck } from './leak-check.ts';

/** Ways in which a service may repeat what it was sent, with all that it knows of the account. */
const ECHOES: { readonly [way: string]: (sent: SentRequest, all: string) => CannedResponse | null } = {
  'the error text of v4': (_sent, all) => ({ status: 400, body: JSON.stringify({ title: all }) }),
  'the error text of v3': (_sent, all) => ({ status: 200, body: JSON.stringify({ error: 1, msg: all }) }),
  'an error text that it cuts': (_sent, all) => ({ status: 409, body: JSON.stringify({ title: `${'-'.repeat(450)}${all}` }) }),
  'the error text of a conflict': (_sent, all) => ({ status: 409, body: JSON.stringify({ title: all, msg: all }) }),
  'an HTML page': (_sent, all) => ({ status: 200, headers: { 'content-type': 'text/html' }, body: `<h1>${all}</h1>` }),
  'an HTML page for an error': (_sent, all) => ({ status: 502, headers: { 'content-type': 'text/html' }, body: `<h1>${all}</h1>` }),
  'JSON that is cut off': (_sent, all) => ({ status: 200, body: `{"items": ["${all}` }),
  'a request ID': ({ sig }) => ({ status: 500, headers: { 'x-request-id': API_KEY, 'request-id': sig, 'x-services': OWNER }, body: '{}' }),
  'where it redirects to': ({ path, raw }) => ({
    status: 302,
    headers: { location: `https://x.example${path}?${raw}&key=${API_KEY}` },
    body: '',
  }),
  'the path it redirects to': ({ raw }) => ({
    status: 307,
    headers: { location: `/${OWNER}/${raw}/${encodeURIComponent(API_KEY)}` },
    body: '',
  }),
  'Retry-After': (_sent, all) => ({
    status: 429,
    headers: { 'retry-after': encodeURIComponent(all) },
    body: JSON.stringify({ title: all }),
  }),
  'members that are expected': (_sent, all) => ({
    status: 200,
    body: JSON.stringify({ error: 0, items: all, configs: all, total_items: all }),
  }),
  'members that nobody knows': (_sent, all) => ({ status: 200, body: JSON.stringify({ error: 0, [all]: all, items: [{ [all]: all }] }) }),
};

function everything({ raw, msg, sig }: SentRequest): string {
  return [raw, msg, sig, OWNER, API_KEY, encodeURIComponent(API_KEY), JSON.stringify({ owner: OWNER, key: API_KEY })].join(' ');
}

describe('no secret leaks from a service that repeats what it was sent', () => {
  test.each(Object.keys(ECHOES))('in %s', async (way) => {
    const { recorder, run, expectNoLeak } = await withLeakCheck(await createTestProject(DESIRED));
    const repeating = (sent: SentRequest) => ECHOES[way]?.(sent, everything(sent)) ?? null;
    recorder.respond = (sent) => (sent.method === 'GET' ? repeating(sent) : null);
    for (const argv of proving ? [['plan'], ['drift', '--format', 'markdown'], ['export']] : [['plan']]) {
      expect((await run(...argv, '--log-level', 'trace')).code).not.toBe(0);
    }
    recorder.respond = (sent) => (sent.method === 'GET' ? null : repeating(sent));
    for (const format of proving ? FORMATS : ['json']) await run('apply', '--yes', '--format', format, '--log-level', 'trace');
    expectNoLeak();
  });

  /** Live text that repeats secrets: shown wherever a plan shows live text, but masked. */
  const LIVE: { readonly [place: string]: (all: string) => Json } = {
    'the description of a playlist': (all) => ({ playlist: [{ id: 'one', desc: all, playlist: beams(1, 2) }] }),
    'the name of a policy': (all) => ({ 'drm-policy': [{ policy_name: all }] }),
    'an ID': () => ({ playlist: [{ id: OWNER, desc: 'one', playlist: beams(1, 2) }] }),
    'the assets of a playlist that changes': (all) => ({ playlist: [{ id: 'one', desc: 'evening', playlist: [{ beam: { id: all } }] }] }),
    'a slicer': (all) => ({ 'static-key': { use_static_encryption_key: true, static_key_slicer_ids: [all] } }),
  };

  test.each(Object.entries(LIVE))('in %s', async (_place, seed) => {
    const all = `${OWNER} ${API_KEY} ${encodeURIComponent(API_KEY)}`;
    const project = await createTestProject(DESIRED, { seed: seed(all), target: 'ownership: exclusive\nweakening: allow' });
    const reports = temporaryFolder();
    const out = (name: string) => FORMATS.flatMap((each) => ['--out', `${each}=${join(reports, `${name}.${each}`)}`]);
    const outputs: OutputText[] = [];
    // `--out` writes all formats each time; so stdout needs them all only where a proof has the time.
    for (const format of proving ? FORMATS : (['text'] as const)) {
      for (const argv of [
        ['plan', '--requests', '--undeclared', ...out('plan')],
        ['drift', ...out('drift')],
      ]) {
        const { code, stdout, stderr } = await project.run(...argv, '--format', format, '--log-level', 'trace');
        expect([0, 3]).toContain(code);
        outputs.push({ where: `stdout of ${argv[0]} as ${format}`, text: stdout }, { where: `stderr of ${argv[0]}`, text: stderr });
      }
    }
    const applied = await project.run('apply', '--yes', '--allow', 'deletes', '--allow', 'updates', '--log-level', 'trace');
    outputs.push({ where: 'apply', text: applied.stdout + applied.stderr });
    expect(outputs.some(({ text }) => text.includes('[hidden]'))).toBe(true);
    expectNoLeak([...outputs, ...textsIn(reports)], CREDENTIALS);
  });

  test.each([
    ['a UUID', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
    ['base64url', 'AbC-dEf_gHi-jKl_mNo-pQr_sTu-vWx_=='],
    ['percent-encoded', 'p%41ss..-..%2Fq~r_s%3Dt!u.v-w%20x%25y'],
  ])('in any text, of a key in the form of %s, cut off or escaped', async (_form, key) => {
    const cut = key.slice(0, -1);
    const parts = [key, cut, cut.slice(3), encodeURIComponent(cut), Buffer.from(`user:${key}`).toString('base64')];
    const all = [...parts, cut.replaceAll(/[^A-Za-z0-9]/g, (mark) => `&#${mark.charCodeAt(0)};`)].join(' | ');
    const seed = { playlist: [{ id: 'one', desc: 'evening', playlist: [{ beam: { id: all } }] }], 'drm-policy': [{ policy_name: all }] };
    const accounts = [{ owner: OWNER, apiKey: key }];
    const project = await createTestProject(DESIRED, { seed, accounts, target: 'ownership: exclusive\nweakening: allow' });
    const reports = temporaryFolder();
    const out = FORMATS.flatMap((each) => ['--out', `${each}=${join(reports, each)}`]);
    const { code, stdout, stderr } = await project.runWith(
      { env: { UPKEEP_API_KEY: key } },
      ...['plan', '--requests', '--undeclared', '--log-level', 'trace', ...out],
    );
    expect(code).toBe(0);
    const outputs = [{ where: 'stdout', text: stdout }, { where: 'stderr', text: stderr }, ...textsIn(reports)];
    for (const { where, text } of outputs.filter((each) => each.where.endsWith('json') || each.where === 'stdout'))
      expect(text, where).toContain('[hidden]');
    expectNoLeak(outputs, [{ name: 'api_key', value: key }]);
  });

  test('and export hides them in the comments on what it leaves out', async () => {
    const odd = { policy_name: 'odd', fairplay: { lease: { owner: OWNER, key: API_KEY } } };
    const project = await createTestProject(DESIRED, { seed: { 'drm-policy': [odd] } });
    const { code, stdout, stderr } = await project.run('export');
    expect([code, stdout]).toEqual([0, expect.stringContaining('"odd" is left out: ')]);
    expect(stdout).toContain('[hidden]');
    expectNoLeak(
      [{ where: 'stdout', text: stdout + stderr }],
      [
        { name: 'owner', value: OWNER },
        { name: 'api_key', value: API_KEY },
      ],
    );
  });

  test('but export, which writes the account as it is, warns of it', async () => {
    const project = await createTestProject(DESIRED, { seed: { playlist: [{ id: 'one', desc: `of ${OWNER}`, playlist: beams(1, 2) }] } });
    const { code, stdout, stderr } = await project.run('export');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`of ${OWNER}`)]);
    expect(stderr).toMatch(/^warning: a text of the account repeats its owner or its API key: playlists\.yaml\n/);
  });
});
