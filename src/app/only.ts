/** Checks that `--only` selects something, because a typo would otherwise look like an account without changes. */
import { suggest } from '../core/config/did-you-mean.ts';
import { addressPrefixes } from '../core/model/address.ts';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import { matchesGlob } from '../core/model/glob.ts';
import type { PlanResult } from '../core/plan/build-plan.ts';
import type { PlanInput } from '../core/plan/input.ts';
import type { TargetRun } from './account/target-run.ts';
import { CliError } from './run/exit-codes.ts';
import { warn } from './run/messages.ts';
import type { PlanningOptions } from './run/options.ts';

const FORM = 'it takes addresses, for example playlist/evening-block or drm-policy/*';

/**
 * Refuses a run on one target where a glob of `--only` matches no address that is declared or live. On several targets it warns, because
 * the address may be that of another target. A glob of a whole kind matches, whatever the account holds. After an incomplete read nothing is
 * concluded.
 * @throws CliError
 */
export function requireMatchedOnly(
  { io, isOnlyTarget, target }: TargetRun,
  { only }: Pick<PlanningOptions, 'only'>,
  { input, result }: { readonly input: PlanInput; readonly result: PlanResult },
): void {
  if (only.length === 0 || result.plan.unread) return;
  const known = new Set([
    ...input.desiredState.resources.map(({ address }) => address),
    ...result.changes.map(({ change }) => change.address),
    ...result.undeclared.map(({ address }) => address),
  ]);
  const wholeKinds = input.kinds.flatMap((kind) => addressPrefixes(kind).map((prefix) => (prefix.endsWith('/') ? `${prefix}*` : prefix)));
  const unmatched = only.filter((glob) => !wholeKinds.includes(glob) && !isMatched(glob, known));
  if (unmatched.length === 0) return;
  const summary = `--only ${unmatched.join(', ')} matches nothing that is declared or live`;
  const meant = unmatched.flatMap((glob) => suggest(glob, [...wholeKinds, ...known]) ?? []);
  const hint = meant.length === 0 ? FORM : `did you mean ${meant.join(', ')}?`;
  if (isOnlyTarget) throw new CliError(EXIT_CODES.invalid, 'only-unmatched', summary, hint);
  warn(io, `${target.name}: ${summary}`, hint);
}

function isMatched(glob: string, addresses: ReadonlySet<string>): boolean {
  return glob.includes('*') ? [...addresses].some((address) => matchesGlob(glob, address)) : addresses.has(glob);
}
