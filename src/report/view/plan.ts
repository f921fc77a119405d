import { type Change, comparePhases } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { layOutDiagrams } from '../diagrams/index.ts';
import type { Options } from '../document.ts';
import { visibleJson } from '../escape.ts';
import { changeItem } from './change.ts';
import { impactStatements, playbackImpactSection } from './device-impact.ts';
import { findingSections } from './findings.ts';
import { matrixSection } from './impact-matrix.ts';
import { count, driftSummary, kindsSeen, originCounts, planSummary, writes } from './labels.ts';
import { type Line, noDetail, type View, type ViewItem, type ViewSection } from './model.ts';
import { requestSection } from './requests.ts';
import { totalsOf } from './summary.ts';

/** Builds the view of a plan or a drift report: risky changes first, then the others in apply order. */
export function planView(type: 'plan' | 'drift', plan: Plan, options: Options): View {
  const patched = type === 'plan' ? patchedBy(plan) : new Set<string>();
  return {
    title: `${type === 'plan' ? 'Plan' : 'Drift'} for ${plan.target}${commitOf(plan)}`,
    opening: incomplete(plan),
    totals: totalsOf(type, plan),
    sections: [
      ...changeSections(plan, type, patched, options),
      playbackImpactSection(plan),
      matrixSection(plan.impact),
      ...findingSections(plan.findings),
      ...(type === 'plan' ? [requestSection(plan.requests, options)] : []),
      unmanagedSection(plan, options),
    ],
    closing: [
      ...skipped(plan),
      ...(type === 'plan' ? planClosing(plan, patched) : [{ style: 'title', text: driftSummary(plan) } as const]),
    ],
  };
}

/** The addresses that a PATCH covers: its settings reach new playback sessions only (playlist-api-v4 section 3). */
export function patchedBy(plan: Plan): ReadonlySet<string> {
  return new Set(plan.requests.flatMap((request) => (request.method === 'PATCH' ? request.addresses : [])));
}

/** The note of a plan with a PATCH (design section 4, rule 12). */
export const RUNNING_SESSIONS: Line = {
  style: 'quiet',
  text: 'Running playback sessions keep the old settings of what is marked "new sessions only".',
};

function commitOf({ config }: Plan): string {
  return config === null ? '' : ` at commit ${config.commit.slice(0, 12)}${config.dirty ? ', with uncommitted edits' : ''}`;
}

function incomplete(plan: Plan): readonly Line[] {
  const kinds = kindsSeen(plan, 'incomplete');
  if (kinds.length === 0) return [];
  return [{ style: 'alarm', text: `Incomplete: ${kinds.join(', ')} could not be read completely; nothing is planned for it.` }];
}

function skipped(plan: Plan): readonly Line[] {
  const kinds = kindsSeen(plan, 'skipped');
  return kinds.length === 0 ? [] : [{ style: 'quiet', text: `Not looked at, outside --only: ${kinds.join(', ')}.` }];
}

function planClosing(plan: Plan, patched: ReadonlySet<string>): readonly Line[] {
  return [
    ...impactStatements(plan.impact),
    ...(patched.size > 0 ? [RUNNING_SESSIONS] : []),
    { style: 'title', text: planSummary(plan) },
    ...originCounts(plan).map((text): Line => ({ style: 'plain', text })),
    { style: 'quiet', text: `Requests: ${count(plan.cost.reads, 'read')}, ${count(plan.cost.writes, 'write')}.` },
    { style: 'quiet', text: `Fingerprint: ${plan.fingerprint}`, verbatim: true },
  ];
}

function changeSections(plan: Plan, type: 'plan' | 'drift', patched: ReadonlySet<string>, { diagramOf }: Options): readonly ViewSection[] {
  const inOrder = plan.changes.toSorted((a, b) => comparePhases(a.phase, b.phase) || a.wave - b.wave);
  const diagrams = layOutDiagrams(type, plan, diagramOf);
  const section = (title: string, description: string | null, belongs: (change: Change) => boolean): ViewSection => ({
    title,
    ...(description === null ? {} : { description }),
    columns: ['', 'Address', 'Remarks'],
    items: inOrder.filter(belongs).map((change) => changeItem(change, patched, diagramOf, diagrams.get(change.address))),
  });
  const free = (change: Change) => change.blocked === null && writes(change);
  const plain = (change: Change) => free(change) && change.effect !== 'loosens';
  const byHand = (change: Change) => type === 'plan' && change.origin === 'drift';
  return [
    section(
      'Blocked',
      'While any change is blocked, apply writes nothing, unless --skip-blocked is given.',
      (change) => change.blocked !== null,
    ),
    section('Loosens protection', null, (change) => free(change) && change.effect === 'loosens'),
    section(type === 'plan' ? 'Changes, in this order' : 'Drifted', null, (change) => plain(change) && !byHand(change)),
    section('Changed by hand', 'Somebody edited the account; applying reverts it.', (change) => plain(change) && byHand(change)),
    section('For the ledger only', 'Nothing is written to the service.', (change) => change.blocked === null && !writes(change)),
  ];
}

function unmanagedSection(plan: Plan, options: Options): ViewSection {
  const own = (options.unmanaged ?? []).filter(({ target }) => target === undefined || target === plan.target);
  const items = own.map(
    ({ address, name }): ViewItem => ({
      style: 'quiet',
      sign: '?',
      word: 'unmanaged',
      subject: address,
      remarks: name === '' ? [] : [visibleJson(name)],
      notes: [],
      detail: noDetail,
    }),
  );
  return {
    title: 'Unmanaged',
    description: 'Live objects that nobody declares; they stay as they are.',
    columns: ['', 'Address', 'Name'],
    items,
  };
}
