/** Every format says of a run what was decided of it (design section 16). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../src/core/decide/decide.ts';
import { type Facts, undecidedFacts } from '../../src/core/decide/facts.ts';
import type { BlockReason } from '../../src/core/model/change.ts';
import { STATUSES, type Status } from '../../src/core/model/decision.ts';
import { render } from '../../src/report/index.ts';
import type { ChangeParts } from '../support/changes.ts';
import { assertProperty } from '../support/property.ts';
import { change, OPTIONS, plan } from './documents.ts';
import { readExposition } from './languages/exposition.ts';

const WEAKENING: BlockReason = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } };
const ROLLBACK: BlockReason = { check: 'rollback', reason: 'it would take back', lift: { edit: 'rebase', allow: 'rollback' } };

const FREEZE: Facts['windows'] = {
  known: [
    {
      timeZone: null,
      rules: [{ type: 'deny', why: 'freeze', unless: [], times: { from: null, until: null }, isExpired: false, path: [] }],
    },
  ],
};

/** What decides a plan, and its changes. */
const situations = fc.record({
  changes: fc.array(
    fc.constantFrom<ChangeParts>({}, { effect: 'weakens' }, { effect: 'weakens', blocked: WEAKENING }, { action: 'forget' }),
    {
      maxLength: 3,
    },
  ),
  isBehind: fc.boolean(),
  isUnread: fc.boolean(),
  windows: fc.constantFrom<Facts['windows']>({ known: [] }, FREEZE, { unknown: 'nobody can tell' }),
  dirty: fc.constantFrom<readonly string[]>([], ['a.yaml']),
});

/** What the first words of a report say of the status. */
const WORDS: readonly (readonly [RegExp, Status])[] = [
  [/^Cannot tell/, 'unknown'],
  [/^Blocked/, 'blocked'],
  [/^Behind/, 'behind'],
  [/^Waits/, 'waits'],
  [/^(?:Ready to apply|May be applied|Nothing to write)/, 'ready'],
  [/^Nothing to do/, 'nothing'],
];

function statusOfWords(text: string): Status | undefined {
  return WORDS.find(([pattern]) => pattern.test(text))?.[1];
}

/** What the results of a list of diagnostics say of it: the status that comes first in the order of precedence; ready and nothing are silent. */
function statusOfCodes(codes: readonly string[]): Status | 'silent' {
  const said = codes.flatMap((code) => {
    const [first = ''] = code.split('-');
    return first === 'incomplete' ? ['unknown'] : [first];
  });
  return STATUSES.find((status) => said.includes(status)) ?? 'silent';
}

/** Returns the pairs of texts that a pattern finds in a report. */
function found(text: string, pattern: RegExp): readonly (readonly [string, string])[] {
  return [...text.matchAll(pattern)].map(([, level = '', code = '']) => [level, code] as const);
}

const JUNIT_RESULTS: { readonly [status in Status]: RegExp } = {
  unknown: /<error /,
  refused: /<failure /,
  blocked: /<failure /,
  behind: /<failure /,
  waits: /<skipped /,
  ready: /<system-out>/,
  nothing: /<system-out>/,
};

test('all formats say the same status of a plan', () => {
  const met = new Set<Status>();
  assertProperty(
    fc.property(situations, ({ changes: parts, isBehind, isUnread, windows, dirty }) => {
      const changes = parts.map((each, index) => change(`playlist/p${index}`, each));
      const requests = changes.flatMap(({ address, blocked, action }) =>
        blocked === null && action !== 'forget' ? [{ method: 'PATCH', path: '/', body: {}, addresses: [address] } as const] : [],
      );
      const planned = plan(changes, {
        requests,
        ...(isBehind ? { behind: [change('playlist/behind', { blocked: ROLLBACK })] } : {}),
        ...(isUnread ? { unread: [{ kind: 'drm-policy', refused: false, reason: 'HTTP 500' }] } : {}),
        readStatus: { playlist: 'complete', 'drm-policy': isUnread ? 'incomplete' : 'complete' },
      });
      const facts: Facts = { ...undecidedFacts(planned, 'production', 0), commit: { known: { id: 'c0ffee', dirty } }, windows };
      const decision = decide(facts);
      const { status } = decision;
      met.add(status);
      const document = { type: 'plan', plan: { ...planned, decision } } as const;
      const text = (format: Parameters<typeof render>[1]) => render([document], format, OPTIONS);

      expect(statusOfWords(text('text')), 'text').toBe(status);
      expect(statusOfWords(/\*\*(.*?)\*\*/.exec(text('markdown'))?.[1] ?? ''), 'markdown').toBe(status);
      expect(statusOfWords(/class="headline">(.*?)</.exec(text('html'))?.[1] ?? ''), 'html').toBe(status);
      const json: unknown = JSON.parse(text('json'));
      expect(json, 'json').toMatchObject({ decision: { status } });
      const [last] = text('ndjson').trim().split('\n').slice(-1);
      expect(JSON.parse(last ?? ''), 'ndjson').toMatchObject({ event: 'plan', decision: { status } });
      const samples = readExposition(text('prometheus')).filter(({ metric }) => metric === 'upkeep_decision');
      expect(
        samples.filter(({ value }) => value === 1).map(({ labels }) => labels.status),
        'prometheus',
      ).toEqual([status]);
      const junit = /name="may be applied now"[^>]*>\s*(<[^\n]*)/.exec(text('junit'))?.[1] ?? '';
      expect(junit, 'junit').toMatch(JUNIT_RESULTS[status]);
      // What nothing holds back needs no diagnostic; what holds back a plan without changes is a note.
      const quiet = status === 'ready' || status === 'nothing' ? 'silent' : status;
      const counts = (level: string) => changes.length > 0 || !/note|notice|info/.test(level);
      const said = (pairs: readonly (readonly [level: string, code: string])[]) =>
        statusOfCodes(pairs.flatMap(([level, code]) => (counts(level) ? [code] : [])));
      expect(said(found(text('github'), /^::(\w+) [^\n]*title=upkeep%3A ([a-z-]+)::/gm)), 'github').toBe(quiet);
      const sarif = found(text('sarif'), /"ruleId": ?"([a-z-]+)",\s*"ruleIndex": ?\d+,\s*"level": ?"(\w+)"/g);
      expect(said(sarif.map(([code, level]) => [level, code])), 'sarif').toBe(quiet);
      const gitlab = found(text('gitlab'), /"check_name": ?"([a-z-]+)",\s*"fingerprint": ?"\w+",\s*"severity": ?"(\w+)"/g);
      expect(said(gitlab.map(([code, level]) => [level, code])), 'gitlab').toBe(quiet);
    }),
    { numRuns: 400 },
  );
  expect([...met].sort()).toEqual(['behind', 'blocked', 'nothing', 'ready', 'unknown', 'waits']);
});
