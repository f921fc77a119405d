import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { policyMatrixOf } from '../../../src/report/diagrams/policy-matrix.ts';
import { renderAccount } from '../../../src/report/html/account.ts';
import { account, EVERYTHING, playlist, playlistsPart } from '../account-samples.ts';

const EVIL = "\"><img src=x onerror=alert(1)></title></script>' onmouseover='alert(4)\n::error::x";

describe('the page of an account', () => {
  it('says first what could not be read', () => {
    const page = renderAccount(EVERYTHING);
    const missing = page.indexOf('Not read: vmp-reject-statuses.');
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(page.indexOf('<nav'));
    expect(page).toContain('The service did not tell about 1 of 4 assets: 500');
    expect(page).toContain('Key rotation is failing.');
  });

  it('marks the playlists with an asset that is gone, or that ends within 14 days of the date', () => {
    const looks = (time: string) => {
      const page = renderAccount({ ...EVERYTHING, at: { text: time, time: Date.parse(time) } });
      return [...page.matchAll(/data-look="(\w+)"/g)].map(([, look]) => look);
    };
    // Sorted by name: the one without a name is the first.
    expect(looks('2026-06-01')).toEqual(['none', 'none', 'remark']);
    expect(looks('2027-01-10')).toEqual(['none', 'gone', 'soon']);
    expect(looks('2027-01-20')).toEqual(['none', 'gone', 'gone']);
  });

  it('begins with what needs attention, and names the assets that end first before the others', () => {
    const many = renderAccount({
      ...EVERYTHING,
      assets: { ...EVERYTHING.assets, pilot: { name: 'The Pilot', until: Date.parse('2027-01-12T00:00:00Z') } },
    });
    const words = wordsOf(many.slice(many.indexOf('id="attention"'), many.indexOf('<nav')));
    expect(words).toContain('warning Key rotation is failing.');
    expect(words).toContain('cannot be played 1 asset in 1 playlist Last Year gone: Playlist p1');
    expect(words).toContain(
      'ends within 14 days 2 assets in 2 playlists The Pilot ends 2027-01-12: Playlist p1 Farewell ends 2027-01-20: Playlist p3',
    );
    expect(words).toContain('off air 1 playlist p2');
    expect(words).toContain('cannot be declared, or not fully known 1 playlist Playlist p3');
  });

  it('has no section about attention where nothing needs it', () => {
    expect(renderAccount(account({ parts: [playlistsPart([playlist('p1', [])])] }))).not.toContain('Needs attention');
  });

  it('leads from each playlist that needs attention to it', () => {
    const page = renderAccount(EVERYTHING);
    const links = [...page.matchAll(/<a href="#(p\d+)">([^<]*)/g)];
    expect(links.length).toBeGreaterThan(2);
    for (const [, id = '', name] of links.filter(([, , text]) => text !== ''))
      expect(page).toMatch(new RegExp(`<li class="item" id="${id}"[^>]*>\\s*<div class="title"><h3>${name}</h3>`));
  });

  it('folds many members of a set, and many playlists, and no few', () => {
    const of = (number: number) => {
      const members = Array.from({ length: number }, (_, index) => ({ style: 'alarm', text: `slicer-${index}` }) as const);
      const summary = { style: 'alarm', text: 'Used.' } as const;
      const lists = Array.from({ length: number }, (_, index) => playlist(`p${index}`, []));
      return renderAccount(
        account({
          parts: [
            { kind: 'static-key', overview: { type: 'setting', title: 'Static key', summary, members }, warnings: [] },
            playlistsPart(lists),
          ],
        }),
      );
    };
    expect(of(12)).not.toContain('<summary>');
    expect(of(60)).toMatch(/<summary>Show all 60<\/summary>\n<ul class="members">/);
    expect(of(60)).toMatch(/<summary>Show all 60<\/summary>\n<ul class="playlists">/);
  });

  it('stays bounded where thousands of playlists share thousands of assets that end', () => {
    const ids = Array.from({ length: 3_000 }, (_, index) => `asset-${index}`);
    const until = Date.parse('2027-01-12T00:00:00Z');
    const lists = Array.from({ length: 3_000 }, (_, index) =>
      playlist(
        `p${index}`,
        [
          { type: 'beam', id: ids[index] ?? '' },
          { type: 'beam', id: 'asset-0' },
        ],
        { isOnAir: false },
      ),
    );
    const page = renderAccount(account({ parts: [playlistsPart(lists)], assets: Object.fromEntries(ids.map((id) => [id, { until }])) }));
    const attention = page.slice(page.indexOf('id="attention"'), page.indexOf('<nav'));
    expect(attention.length).toBeLessThan(150_000);
    expect(attention).toContain('<summary>2995 more</summary>');
    expect(attention).toContain('and 2800 more');
    expect(attention).toContain('and 2996 more');
  });

  it('escapes every text, and puts none into a tag', () => {
    const page = renderAccount(
      account({
        target: EVIL,
        baseUrl: EVIL,
        at: { text: EVIL, time: 0 },
        parts: [
          playlistsPart([
            playlist(
              EVIL,
              [
                { type: 'beam', id: EVIL },
                { type: 'odd', text: EVIL },
              ],
              { name: EVIL, marks: [{ style: 'warning', text: EVIL }] },
            ),
          ]),
          {
            kind: 'drm-policy',
            overview: {
              type: 'policies',
              policies: [
                { id: EVIL, name: EVIL, settings: { [EVIL]: { [EVIL]: EVIL } } },
                { id: 'b', name: EVIL, settings: { [EVIL]: { [EVIL]: EVIL } } },
              ],
              defaults: {},
              systems: {},
            },
            warnings: [EVIL],
          },
          {
            kind: 'static-key',
            overview: { type: 'setting', title: EVIL, summary: { style: 'alarm', text: EVIL }, members: [{ style: 'quiet', text: EVIL }] },
            warnings: [],
          },
        ],
        unread: [{ kind: EVIL, reason: EVIL, hint: EVIL }],
        remarks: [{ kind: 'playlist', id: EVIL, text: EVIL }],
        assets: { [EVIL]: { name: EVIL, notReady: EVIL } },
        assetsUnread: [EVIL],
      }),
    );
    expect(page).not.toContain('<img');
    expect(page).not.toMatch(/<[^>]*onmouseover/);
    expect(page).not.toMatch(/^::/m);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page.match(/<\/title>/g)).toHaveLength(1);
  });

  it('says of an empty account that it has nothing', () => {
    expect(renderAccount(account({ parts: [playlistsPart([])] }))).toContain('The account has no playlist.');
  });
});

/** Returns the texts of a part of a page, one after the other. */
function wordsOf(part: string): string {
  return part.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('the matrix of policies', () => {
  const matrix = (...settings: readonly JsonObject[]) =>
    policyMatrixOf({
      type: 'policies',
      policies: settings.map((each, index) => ({ id: `${index}`, name: `p${index}`, settings: each })),
      defaults: { widevine: { level: 1, play: true } },
      systems: { fairplay: 'FairPlay', widevine: 'Widevine' },
    });

  it('has one column for equal policies, and leaves out what is at its default everywhere', () => {
    const { columns, groups, atDefault } = matrix(
      { widevine: { level: 3, play: true } },
      { widevine: { level: 1, play: true } },
      { widevine: { play: true, level: 1 } },
    );
    expect(columns.map((policies) => policies.map(({ name }) => name))).toEqual([['p0'], ['p1', 'p2']]);
    expect(atDefault).toBe(1);
    expect(groups).toEqual([
      {
        title: 'Widevine',
        rows: [
          {
            name: 'level',
            isDifferent: true,
            cells: [
              { value: '3', isDefault: false },
              { value: '1', isDefault: true },
            ],
          },
        ],
      },
    ]);
  });

  it('does not mark a setting that all policies have in the same way, and shows one that upkeep does not know', () => {
    const { groups } = matrix({ widevine: { level: 2, play: true }, other: 'x' }, { widevine: { level: 2, play: false } });
    expect(
      groups.map(({ title, rows }) => [
        title,
        ...rows.map(({ name, isDifferent, cells }) => [name, isDifferent, cells.map(({ value }) => value)]),
      ]),
    ).toEqual([
      ['Widevine', ['level', false, ['2', '2']], ['play', true, ['true', 'false']]],
      ['other', ['all of it', true, ['x', null]]],
    ]);
  });
});
