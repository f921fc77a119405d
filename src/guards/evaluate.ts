/** The users' own rules, asked about every change that writes: which are denied, and what is to be said (design section 4, rule 9, guards). */

import { findingAt } from '../config/findings.ts';
import { GUARD_VARIABLES } from '../config/guard-variables.ts';
import type { GuardDefinition } from '../config/project.ts';
import type { BlockReason } from '../model/change.ts';
import type { Finding, Severity } from '../model/finding.ts';
import type { DeviceImpact } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import { type ScheduledChange, writesOnService } from '../state/change-draft.ts';
import { evaluateInWorker, type GuardAnswer } from './run-in-worker.ts';

/** What the guards are asked with. */
export interface GuardInput {
  readonly target: string;
  readonly guards: readonly GuardDefinition[];
  /** What each change means for devices, by its address. */
  readonly impacts: ReadonlyMap<string, readonly DeviceImpact[]>;
  readonly rules: { readonly [code: string]: Severity | 'off' };
}

/** What the guards said. */
export interface GuardResult {
  readonly denied: ReadonlyMap<ScheduledChange, BlockReason>;
  readonly findings: readonly Finding[];
}

/** Asks the guards about the steps. One that cannot be told (it fails, or gives no answer in time) holds, whatever its verdict would be. */
export async function evaluateGuards(steps: readonly ScheduledChange[], question: GuardInput): Promise<GuardResult> {
  const writing = steps.filter((change) => writesOnService(change.action));
  const { target, guards, impacts } = question;
  if (guards.length === 0 || writing.length === 0) return { denied: new Map(), findings: [] };
  const changes = writing.map(changeOf);
  const subjects = writing.map((change, index) => ({
    change: changes[index] ?? {},
    impact: (impacts.get(change.address) ?? []).map(impactOf),
  }));
  const answers = await evaluateInWorker({
    names: GUARD_VARIABLES,
    guards: guards.map(({ conditions }) => ({ conditions })),
    target,
    plan: planOf(changes),
    subjects,
  });
  const spoken = guards.flatMap((guard, row) =>
    writing.flatMap((change, column) => spokenOf(guard, change, answers[row]?.[column] ?? false)),
  );
  return { denied: deniedOf(spoken), findings: findingsOf(spoken, question) };
}

/** A guard that spoke of a step, or could not be told. */
interface Spoken {
  readonly guard: GuardDefinition;
  readonly step: ScheduledChange;
  readonly failure: string | null;
}

function spokenOf(guard: GuardDefinition, change: ScheduledChange, answer: GuardAnswer): readonly Spoken[] {
  if (answer === false) return [];
  return [{ guard, step: change, failure: answer === true ? null : answer }];
}

function deniedOf(spoken: readonly Spoken[]): ReadonlyMap<ScheduledChange, BlockReason> {
  const denied = new Map<ScheduledChange, BlockReason>();
  for (const { guard, step: change, failure } of spoken) {
    if (failure === null && guard.verdict === 'warn') continue;
    const words = failure === null ? guard.message : `it cannot be told whether it holds: ${failure}`;
    const reason = [denied.get(change)?.reason, `guard \`${guard.id}\`: ${words}`].filter((each) => each !== undefined).join('; ');
    denied.set(change, { check: 'guard', reason, override: 'change what it objects to, or edit `guards` in upkeep.yaml, under review' });
  }
  return denied;
}

/** Each warning stands at its guard and names the change; a guard that fails is named once, whatever the number of changes. */
function findingsOf(spoken: readonly Spoken[], { rules }: GuardInput): readonly Finding[] {
  const failed = new Set<GuardDefinition>();
  return spoken.flatMap(({ guard, step: change, failure }): Finding[] => {
    if (failure === null && guard.verdict === 'deny') return [];
    const code = failure === null ? 'guard' : 'guard-failed';
    const severity = rules[code] ?? 'warning';
    if (severity === 'off' || (failure !== null && failed.has(guard))) return [];
    if (failure !== null) failed.add(guard);
    const summary = `guard \`${guard.id}\`${failure === null ? `: ${guard.message}` : ` cannot be told, so it holds: ${failure}`}`;
    return [findingAt(guard.place(), { code, severity, summary, ...(failure === null ? { address: change.address } : {}) })];
  });
}

function changeOf(change: ScheduledChange): JsonObject {
  const { address, kind, name, action, origin, effect, phase } = change;
  const reasons = change.reasons.map((reason) => reason.text);
  const fields = change.fields.map(({ path, before, after, origin: by, effect: of }) => ({ path, before, after, origin: by, effect: of }));
  return { address, kind: kind.name, name, action, origin, effect, reasons, phase, fields };
}

/** As schemas/guard.schema.json, `Impact`, says: without the rules on both sides. */
function impactOf({ address, device, name, system, lost, gained, restricted, unrestricted, uncertain }: DeviceImpact): JsonObject {
  return { address, device, name, system, lost, gained, restricted, unrestricted, uncertain };
}

function planOf(changes: readonly JsonObject[]): JsonObject {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  return { create: count('create'), update: count('update'), delete: count('delete'), changes };
}
