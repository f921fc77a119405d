/** Evaluates the user's own guards for every change that writes: denied changes, and findings (design section 4, rule 9, guards). */

import type { DesiredState } from '../config/desired-state.ts';
import { findingAt } from '../config/findings.ts';
import type { GuardDefinition, SeverityRule } from '../config/project.ts';
import { withSeverity } from '../config/severity-rules.ts';
import { GUARD_VARIABLES } from '../config/validate-guards.ts';
import { isLiveObject } from '../kinds/kind.ts';
import { type BlockingCheck, reasonsOf, writesOnService } from '../model/change.ts';
import type { Finding } from '../model/finding.ts';
import type { DeviceImpact } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import { declarationPlace, formerAddressOf, type PlannedChange } from '../state/planned-change.ts';
import { evaluateInWorker, type GuardAnswer } from './run-in-worker.ts';

/** What guards know of the run, as `Run` in schemas/guard.schema.json. Texts are empty where nothing is known. */
export interface GuardRun {
  readonly command: 'plan' | 'apply' | 'drift' | 'drift accept' | 'undo' | 'impact' | 'explain';
  readonly ci: string;
  readonly actor: string;
  readonly commit: string;
  readonly message: string;
  readonly branch: string;
  readonly pullRequest: string;
}

/** All that guards are evaluated with, besides the changes. */
export interface GuardInput extends Pick<DesiredState, 'positionOf'> {
  readonly target: string;
  readonly run: GuardRun;
  readonly guards: readonly GuardDefinition[];
  /** The impact of each change on devices, by its address. */
  readonly impacts: ReadonlyMap<string, readonly DeviceImpact[]>;
  readonly rules: readonly SeverityRule[];
}

/** The result of all guards. */
export interface GuardResult {
  readonly denied: ReadonlyMap<PlannedChange, BlockingCheck>;
  readonly findings: readonly Finding[];
}

/** Evaluates the guards. A guard that fails, or does not answer in time, blocks the change, even if it would only warn. */
export async function evaluateGuards(scheduled: readonly PlannedChange[], input: GuardInput): Promise<GuardResult> {
  const writing = scheduled.filter(({ change }) => writesOnService(change));
  const { target, guards, impacts } = input;
  if (guards.length === 0 || writing.length === 0) return { denied: new Map(), findings: [] };
  const changes = writing.map((planned) => changeOf(planned, input));
  const subjects = writing.map(({ change }, index) => ({
    change: changes[index] ?? {},
    impact: (impacts.get(change.address) ?? []).map(impactOf),
  }));
  const answers = await evaluateInWorker({
    names: GUARD_VARIABLES,
    guards: guards.map(({ conditions }) => ({ conditions })),
    target,
    run: runOf(input.run),
    plan: planOf(changes),
    subjects,
  });
  const matches = guards.flatMap((guard, guardIndex) =>
    writing.flatMap((planned, changeIndex) => matchOf(guard, planned, answers[guardIndex]?.[changeIndex] ?? 'it gave no answer')),
  );
  return { denied: deniedOf(matches), findings: findingsOf(matches, input) };
}

/** A guard whose conditions hold for a change, or whose evaluation failed. */
interface GuardMatch {
  readonly guard: GuardDefinition;
  readonly planned: PlannedChange;
  readonly failure: string | null;
}

function matchOf(guard: GuardDefinition, planned: PlannedChange, answer: GuardAnswer): readonly GuardMatch[] {
  if (answer === false) return [];
  return [{ guard, planned, failure: answer === true ? null : answer }];
}

function deniedOf(matches: readonly GuardMatch[]): ReadonlyMap<PlannedChange, BlockingCheck> {
  const denied = new Map<PlannedChange, BlockingCheck>();
  for (const { guard, planned, failure } of matches) {
    if (failure === null && guard.verdict === 'warn') continue;
    const text = failure === null ? guard.message : `it could not be evaluated: ${failure}`;
    const before = denied.get(planned);
    const reason = [before?.reason, `guard \`${guard.id}\`: ${text}`].filter((each) => each !== undefined).join('; ');
    // One that could not be evaluated denies, too, and says nothing of what it is about.
    const ids = [...(before?.guards ?? []), failure === null ? guard.id : `${guard.id} (failed)`];
    denied.set(planned, {
      check: 'guard',
      reason,
      guards: ids,
      lift: { edit: 'change what it objects to, or edit `guards` in upkeep.yaml, under review' },
    });
  }
  return denied;
}

/** Builds a finding for each warning, located at its guard, and one for each guard that failed, whatever the number of changes. */
function findingsOf(matches: readonly GuardMatch[], { rules }: GuardInput): readonly Finding[] {
  const failed = new Set<GuardDefinition>();
  return matches.flatMap(({ guard, planned, failure }): readonly Finding[] => {
    if (failure === null && guard.verdict === 'deny') return [];
    const code = failure === null ? 'guard' : 'guard-failed';
    if (failure !== null && failed.has(guard)) return [];
    if (failure !== null) failed.add(guard);
    const summary = `guard \`${guard.id}\`${failure === null ? `: ${guard.message}` : ` could not be evaluated, so it blocks: ${failure}`}`;
    const place = failure === null ? { address: planned.change.address } : {};
    return withSeverity(findingAt(guard.position(), { code, severity: 'warning', summary, ...place }), rules);
  });
}

function runOf({ command, ci, actor, commit, message, branch, pullRequest }: GuardRun): JsonObject {
  return { command, ci, actor, commit, message, branch, pull_request: pullRequest };
}

function changeOf(planned: PlannedChange, places: Pick<GuardInput, 'positionOf'>): JsonObject {
  const { change, desired, live } = planned;
  const { address, kind, name, action, origin, effect, playback, phase } = change;
  const reasons = reasonsOf(change).map((reason) => reason.text);
  const fields = change.fields.map(({ path, before, after, origin: by, effect: of }) => ({ path, before, after, origin: by, effect: of }));
  const playbackReasons = (change.playbackReasons ?? []).map((reason) => reason.text);
  const ignored = (desired?.ignored ?? []).map(({ path }) => path);
  // Empty texts, so that a guard needs no case for what is new.
  const former_address = formerAddressOf(change) ?? '';
  const live_name = live && isLiveObject(live) ? live.remoteName : '';
  const file = declarationPlace(planned, places)?.file ?? '';
  const names = { address, former_address, kind, name, live_name, file };
  return { ...names, action, origin, effect, reasons, playback, playbackReasons, phase, fields, ignored };
}

/** As `Impact` in schemas/guard.schema.json: without the rules before and after. */
function impactOf({ address, device, name, system, lost, gained, restricted, unrestricted, uncertain, changed }: DeviceImpact): JsonObject {
  return { address, device, name, system, lost, gained, restricted, unrestricted, uncertain, changed };
}

function planOf(changes: readonly JsonObject[]): JsonObject {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  return { create: count('create'), update: count('update'), delete: count('delete'), changes };
}
