import { writeFileSync } from 'node:fs';
import { SHOWN } from './test/report/browser/showcase.ts';
import { OPTIONS, plan, change, field, finding, failure, history, historyEntry, impactReport, matrixRow, outcome, planImpact, planMatrix, story, validation } from './test/report/documents.ts';
import { render } from './src/report/index.ts';
import { fitMarkdown } from './src/report/markdown/fit-to-size.ts';
import { driftMarkdown, driftGone } from './src/report/markdown/drift-issue.ts';
const beams = (s) => [...s].map((id) => /\d/.test(id) ? { ad: { dur: Number(id) } } : { beam: { id } });
const L='abcdefghijklmnopqrstuvwxyz';
const held = { check: 'loosening', reason: 'it loosens', override: '--allow loosening' };
const big = plan([
  change('playlist/a', { origin: 'both', fields: [field('/playlist', beams(L), beams('z'+L+'3'), { origin: 'drift' }), field('/desc', 'a'.repeat(200), 'a'.repeat(150)+'b', {origin:'change'})] }),
  change('playlist/b', { action: 'create', fields: [field('/playlist', null, beams('ab3')), field('/repeat', null, 1)] }),
  change('playlist/c', { action: 'delete', fields: [field('/playlist', beams('ab3'), null)] }),
  change('playlist/d', { fields: [field('/playlist', beams('a3b'), beams('b4c')), field('/x', ['a','b'], ['b','c'])] }),
  change('drm-policy/p', { effect: 'loosens', blocked: held, fields: [field('/widevine/content_key_specs/HD/security_level', 3, 1, { effect: 'loosens', reasons: [{ effect: 'loosens', text: 'weaker' }] }), field('/playready/sd/x', null, ['q w']), field('/policy_name', 'x', 'y')] }),
  change('static-key', { fields: [field('/scope', 'all', 'specific'), field('/slicer_ids', [], ['s1', 's2'])] }),
  change('vmp-reject-statuses', { blocked: held, fields: [field('/vmp_reject_statuses', ['A'], ['C'], { effect: 'loosens', reasons: [{effect:'loosens', text:'r'}] })] }),
], { requests: [{ method: 'POST', path: '/x', body: { scope: 'specific', ids: ['a'] }, addresses: ['static-key'] }, { method: 'PATCH', path: '/y', body: { desc: 'x' }, addresses: ['playlist/a'] }], findings: [finding(), finding({ severity: 'warning', excerpt: 'x'.repeat(300), column: 200 })], impact: { ...planImpact(story(), story({ outcome: 'gained' })), matrices: [planMatrix()] } });
const docs = [ SHOWN, { type: 'plan', plan: big }, { type: 'drift', plan: big }, { type: 'outcome', outcome: outcome([{ address: 'playlist/a', result: 'updated', tookMs: 12 }, { address: 'q', result: 'failed', error: 'e', tookMs: 0 }], false), plan: big }, { type: 'validation', validation: validation([finding()]) }, { type: 'failure', failure: failure([finding()]), plan: big }, { type: 'history', history: history([historyEntry()]) }, { type: 'impact', impact: impactReport([matrixRow(), matrixRow({ before: null })]) }, { type: 'targets', targets: [{ name: 'a', baseUrl: 'b', ownership: 'shared', ledger: 'none' }] },
 { type: 'diagnosis', diagnosis: { schemaVersion: 1, target: 't', healthy: false, checks: ['ok','warning','failed','skipped'].map((state) => ({ check: 'c', state, summary: 's', remedy: 'r' })) } },
 { type: 'acceptance', acceptance: { schemaVersion: 1, target: 't', written: false, accepted: [{ address: 'playlist/a', kind: 'playlist', result: 'updated', effect: 'loosens', fields: ['/a'] }], pending: [{ address: 'p', fields: ['/x'] }], shared: ['u'], files: [{ file: 'f', lines: [1, 2], diff: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n' }] } },
 { type: 'address', address: { schemaVersion: 1, target: 't', address: 'playlist/a', kind: 'playlist', observed: 'complete', identity: { rule: 'name', id: 'i', because: 'b' }, change: big.changes[0], values: [{ path: '/p', value: 1, file: 'f', line: 1, column: 1, vars: ['v'] }] } },
 { type: 'field', field: { schemaVersion: 1, field: 'a.b', file: 'source file', description: 'd', type: 'string', unit: 's', default: 1, values: [1], examples: [2], rules: ['r'], section: 's', members: [{ key: 'k', description: 'd' }] } },
].flat();
const out = {};
for (const format of ['text','markdown','html','json','ndjson','sarif','junit','github','gitlab','prometheus','github-matrix'])
  for (const [i, doc] of docs.entries())
    for (const more of [{}, { requests: true, why: true, colour: true, color: true, width: 60, unmanaged: [{ address: 'x', name: 'y' }] }])
      { try { out[format + i + JSON.stringify(more)] = render([doc], format, { ...OPTIONS, ...more }); } catch (e) { out[format + i + JSON.stringify(more)] = 'ERR ' + e; } }
out.fit = [300, 900, 1500, 3000, 9000].map((most) => fitMarkdown({ type: 'plan', plan: big }, OPTIONS, { most, unit: 'characters', size: (t) => t.length }));
const ages = { drifted: [{ address: 'playlist/a', kind: 'playlist', since: null }, { address: 'playlist/b', kind: 'playlist', since: '2026-01-01T00:00:00Z' }], unread: [], now: Date.parse('2026-02-01T00:00:00Z'), lastApply: null };
out.issue = driftMarkdown(big, ages, OPTIONS, { most: 3000, unit: 'characters', size: (t) => t.length }) + driftGone(big, 'now');
writeFileSync('/tmp/cmp/h-report.json', JSON.stringify(out, null, 1));
