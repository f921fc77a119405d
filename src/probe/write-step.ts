/** The second step of a probe: writes of scratch objects only, an inactive playlist and a policy with random names. */
import { asString } from '../core/model/json-readers.ts';
import { agreed, type Reader } from './answers.ts';
import { type Exchanges, isSuccess, randomHex, refusalOf } from './exchange.ts';
import { bulkLists, playlistIdIn, playlistReaders, playlistRows, shownIn, storedForm } from './playlist-questions.ts';
import { idOfPolicy, policyIdIn, policyIn, policyReaders, policyRows } from './policy-questions.ts';
import { type Item, idOf, isScratch, playlistsIn, policiesIn, type ScratchObject } from './scratch.ts';
import { oddName, type Step, type WriteRow } from './write-row.ts';

/** The step for one probe: its requests, and the readers of its answers. */
export interface WriteStep {
  readonly rows: readonly WriteRow[];
  readonly readers: { readonly [id: string]: Reader };
  /** Returns the ID of a scratch object, the latest one, where an answer shows it. */
  idOf(object: ScratchObject, seen: Exchanges): string | undefined;
  /** Decides whether an answer showed that a scratch object exists. */
  isShown(object: ScratchObject, seen: Exchanges): boolean;
}

/**
 * Builds the step. `asset` is the ID of an asset without an asset playlist; without one, only a policy is written. `configuredPost` is how a
 * v3 POST carries its data with this key.
 */
export function writeStep(asset: string | undefined, configuredPost: 'form' | 'json', hasScopedKey: boolean): WriteStep {
  const playlist: ScratchObject = { kind: 'playlist', name: randomHex() };
  const twin: ScratchObject = { kind: 'playlist', name: playlist.name };
  const smartStart: ScratchObject = { kind: 'playlist', name: randomHex(), ...(asset === undefined ? {} : { id: asset }) };
  const policy: ScratchObject = { kind: 'policy', name: randomHex() };
  const step: Step = {
    asset: asset ?? '',
    playlist,
    twin,
    smartStart,
    policy,
    otherPost: configuredPost === 'form' ? 'json' : 'form',
    configuredPost,
    hasScopedKey,
  };
  return {
    rows: [...policyRows(step), ...(asset === undefined ? [] : playlistRows(step))],
    readers: { ...policyReaders(step), ...playlistReaders(step), ...sharedReaders(step) },
    idOf(object, seen) {
      if (object.name === policy.name) return idOfPolicy(policy, seen, 'policies created again') ?? policyIdIn(step, seen);
      return object.name === playlist.name ? playlistIdIn(step, seen) : object.id;
    },
    isShown(object, seen) {
      if (object.name === policy.name) return policyIdIn(step, seen) !== undefined;
      if (object.name === playlist.name) return playlistIdIn(step, seen) !== undefined;
      return ['smart start', 'smart start again'].some((name) => bulkLists(seen, name) !== undefined);
    },
  };
}

function sharedReaders(step: Step): { readonly [id: string]: Reader } {
  const { playlist, policy } = step;
  const names = [
    {
      sent: oddName(playlist.name),
      patch: 'rename',
      shown: 'desc',
      answered: (seen: Exchanges) => shownIn(step, seen, 'rename'),
      stored: (seen: Exchanges) => shownIn(step, seen, 'renamed'),
    },
    {
      sent: oddName(policy.name),
      patch: 'rename policy',
      shown: 'policy_name',
      answered: (seen: Exchanges) => policyIn(step, seen, 'rename policy'),
      stored: (seen: Exchanges) => policyIn(step, seen, 'policies renamed'),
    },
  ];
  return {
    'names-stored'(seen) {
      const forms = names.map(({ sent, patch, shown, stored }) => {
        const answer = seen.get(patch);
        if (answer === undefined) return undefined;
        const text = asString(stored(seen)?.[shown]);
        if (isSuccess(answer)) return text === undefined ? undefined : storedForm(sent, text);
        return refusalOf(answer) === undefined ? undefined : 'refused';
      });
      return agreed(forms);
    },
    'names-answered'(seen) {
      const forms = names.map(({ sent, answered, shown, stored }) => {
        const [answer, text] = [answered(seen), stored(seen)].map((item) => asString(item?.[shown]));
        if (answer === undefined || text === undefined || text === sent) return undefined;
        return answer === text ? 'stored' : answer === sent ? 'asSent' : undefined;
      });
      return agreed(forms, 'names are stored as they are sent, or there was no usable answer');
    },
    'ids-answered'(seen) {
      const others = (name: string, items: readonly Item[] | undefined) => (items ?? []).length > 0 && seen.has(name);
      const created = playlistsIn(seen.get('create playlist'))?.[0];
      const id = playlistIdIn(step, seen);
      const ofPlaylist =
        created === undefined || id === undefined || !others('playlists before', playlistsIn(seen.get('playlists before')))
          ? undefined
          : idOf(created) === id
            ? 'new'
            : 'existing';
      return agreed([ofPlaylist, answeredPolicyId(step, seen)], 'the account has no other object, or there was no usable answer');
    },
  };
}

/** Returns whether the answer to the create of the policy shows its own ID, where the account has another policy. */
function answeredPolicyId(step: Step, seen: Exchanges): string | undefined {
  const { policy } = step;
  const before = policiesIn(seen.get('policies before'));
  const created = policiesIn(seen.get('create policy'))?.find((item) => isScratch(item, policy));
  const id = policyIdIn(step, seen);
  if (before === undefined || before.length === 0 || created === undefined || id === undefined) return undefined;
  return idOf(created) === id ? 'new' : 'existing';
}
