import { writesOnService } from '../model/change.ts';
import type { ChangeDraft } from '../state/change-draft.ts';
import type { BeforeAfter, ResourceBeforeAfter } from './input.ts';
import type { KindState } from './kind-state.ts';

/** Builds the account before and after exactly these changes, from the kinds that were read completely. */
export function beforeAndAfter(kindStates: readonly KindState[], drafts: readonly ChangeDraft[]): BeforeAfter {
  const complete = kindStates.filter(({ read }) => read.status === 'complete');
  return {
    complete: new Set(complete.map(({ kind }) => kind.name)),
    resourcesOf: (name) =>
      complete
        .filter(({ kind }) => kind.name === name)
        .flatMap((kindState) =>
          resourcesBeforeAfter(
            kindState,
            drafts.filter((draft) => draft.kind === kindState.kind && writesOnService(draft)),
          ),
        ),
  };
}

function resourcesBeforeAfter({ kind, resources, read, match }: KindState, drafts: readonly ChangeDraft[]): readonly ResourceBeforeAfter[] {
  const addresses = new Set(resources.map(({ address }) => address));
  const addressOf = new Map([...match.pairs].map(([address, { id }]) => [id, address]));
  const written = new Set(drafts.flatMap(({ live }) => (live ? [live.id] : [])));
  const identify = (address: string) => ({ kind: kind.name, address, isDeclared: addresses.has(address) });
  return [
    ...drafts.map(({ address, live, desired }): ResourceBeforeAfter => {
      return { ...identify(address), isWritten: true, before: live?.fields ?? null, after: desired?.fields ?? null };
    }),
    ...read.result.objects
      .filter(({ id }) => !written.has(id))
      .map((live): ResourceBeforeAfter => {
        const address = addressOf.get(live.id) ?? kind.idAddress(live);
        return { ...identify(address), isWritten: false, before: live.fields, after: live.fields };
      }),
  ];
}
