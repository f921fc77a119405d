/** The users' own rules, asked about every change that writes: which are denied, and what is to be said (design section 4, rule 9, guards). */
import type { Held } from '../../model/change.ts';
import type { Finding, Severity } from '../../model/finding.ts';
import type { DeviceImpact } from '../../model/impact.ts';
import type { Fields } from '../../model/json.ts';
import type { Guard } from '../desired/configuration.ts';
import { findingAt } from '../desired/findings.ts';
import { type OrderedStep, writesOnService } from '../step.ts';
import { type Answer, ask } from './ask.ts';
import { NAMES } from './names.ts';

/** What the guards are asked with. */
export interface Question {
  readonly target: string;
  readonly guards: readonly Guard[];
  /** What each change means for devices, by its address. */
  readonly impacts: ReadonlyMap<string, readonly DeviceImpact[]>;
  readonly rules: { readonly [code: string]: Severity | 'off' };
}

/** What the guards said. */
export interface Judgement {
  readonly denied: ReadonlyMap<OrderedStep, Held>;
  readonly findings: readonly Finding[];
}

/** Codes of what is said of changes, for `rules`. */
export const GUARD_CODES = ['guard', 'guard-failed'];

/** Asks the guards about the steps. One that cannot be told (it fails, or gives no answer in time) holds, whatever its verdict would be. */
export async function judge(steps: readonly OrderedStep[], question: Question): Promise<Judgement> {
  const writing = steps.filter((step) => writesOnService(step.action));
  const { target, guards, impacts } = question;
  if (guards.length === 0 || writing.length === 0) return { denied: new Map(), findings: [] };
  const changes = writing.map(changeOf);
  const subjects = writing.map((step, index) => ({
    change: changes[index] ?? {},
    impact: (impacts.get(step.address) ?? []).map(impactOf),
  }));
  const answers = await ask({
    names: NAMES,
    guards: guards.map(({ conditions }) => ({ conditions })),
    target,
    plan: planOf(changes),
    subjects,
  });
  const spoken = guards.flatMap((guard, row) => writing.flatMap((step, column) => spokenOf(guard, step, answers[row]?.[column] ?? false)));
  return { denied: deniedOf(spoken), findings: findingsOf(spoken, question) };
}

/** A guard that spoke of a step, or could not be told. */
interface Spoken {
  readonly guard: Guard;
  readonly step: OrderedStep;
  readonly failure: string | null;
}

function spokenOf(guard: Guard, step: OrderedStep, answer: Answer): readonly Spoken[] {
  if (answer === false) return [];
  return [{ guard, step, failure: answer === true ? null : answer }];
}

function deniedOf(spoken: readonly Spoken[]): ReadonlyMap<OrderedStep, Held> {
  const denied = new Map<OrderedStep, Held>();
  for (const { guard, step, failure } of spoken) {
    if (failure === null && guard.verdict === 'warn') continue;
    const words = failure === null ? guard.message : `it cannot be told whether it holds: ${failure}`;
    const reason = [denied.get(step)?.reason, `guard \`${guard.id}\`: ${words}`].filter((each) => each !== undefined).join('; ');
    denied.set(step, { brake: 'guard', reason, release: 'change what it objects to, or edit `guards` in upkeep.yaml, under review' });
  }
  return denied;
}

/** Each warning stands at its guard and names the change; a guard that fails is named once, whatever the number of changes. */
function findingsOf(spoken: readonly Spoken[], { rules }: Question): readonly Finding[] {
  const failed = new Set<Guard>();
  return spoken.flatMap(({ guard, step, failure }): Finding[] => {
    if (failure === null && guard.verdict === 'deny') return [];
    const code = failure === null ? 'guard' : 'guard-failed';
    const severity = rules[code] ?? 'warning';
    if (severity === 'off' || (failure !== null && failed.has(guard))) return [];
    if (failure !== null) failed.add(guard);
    const summary = `guard \`${guard.id}\`${failure === null ? `: ${guard.message}` : ` cannot be told, so it holds: ${failure}`}`;
    return [findingAt(guard.place(), { code, severity, summary, ...(failure === null ? { address: step.address } : {}) })];
  });
}

function changeOf(step: OrderedStep): Fields {
  const { address, kind, name, action, origin, effect, phase } = step;
  const reasons = step.reasons.map((reason) => reason.text);
  const fields = step.fields.map(({ path, before, after, origin: by, effect: of }) => ({ path, before, after, origin: by, effect: of }));
  return { address, kind: kind.name, name, action, origin, effect, reasons, phase, fields };
}

/** As schemas/guard.schema.json, `Impact`, says: without the rules on both sides. */
function impactOf({ address, device, name, system, lost, gained, limited, freed, unsure }: DeviceImpact): Fields {
  return { address, device, name, system, lost, gained, limited, freed, unsure };
}

function planOf(changes: readonly Fields[]): Fields {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  return { create: count('create'), update: count('update'), delete: count('delete'), changes };
}
