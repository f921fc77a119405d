/** Plans of a small account with a ledger that binds some of its objects. */
import { FakeAccount } from '../../support/fake-account.ts';
import { changeLines, target } from '../../support/planning.ts';
import { type Bindings, EMPTY_LEDGER, planAfter, stateWith } from '../../support/previous-states.ts';

/** The fields of a song without its title. */
export const plain = { level: 0, list: ['x', 'y'] };

/** Planner input with each ownership; that of `target` is `exclusive`. */
export const exclusive = { target } as const;
export const shared = { target: { ...target, ownership: 'shared' } } as const;

/** Returns three live songs by ID: `a` and `b` under other IDs, and one that was created by hand. */
export function songs() {
  return { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' }, hand: { ...plain, title: 'by hand' } };
}

/** Plans a desired state with a ledger that has these bindings. `lines` are the changes: `delete song/b`. */
export async function planWithBindings(
  desiredState: Parameters<typeof planAfter>[1],
  bindings: Bindings,
  more: Parameters<typeof planAfter>[3] = shared,
  account = new FakeAccount({ songs: songs() }),
) {
  const { plan, undeclared } = await planAfter(account, desiredState, { ...EMPTY_LEDGER, state: stateWith(bindings) }, more);
  return {
    lines: changeLines({ plan }),
    changes: plan.changes,
    undeclared: undeclared.map(({ address }) => address),
    findings: plan.findings,
    readStatus: plan.readStatus,
  };
}
