/** What a probe asks about policies: how the service lists them, and what becomes of a scratch policy. */
import { isObject, type JsonObject } from '../../model/json.ts';
import { asBoolean, asInteger, asList, asString } from '../../model/json-readers.ts';
import type { Exchange, Exchanges, Item, KindQuestions, Readers, ScratchObject, WriteInput, WriteQuestions, WriteRow } from '../probe.ts';
import {
  agreed,
  deletedAgain,
  idOf,
  isNamed,
  isRefused,
  isSuccess,
  NO_ANSWER,
  notFound,
  oddName,
  refusalOf,
  succeeded,
  unknownId,
} from '../probe-answers.ts';
import { CREATE_OR_UPDATE, POLICIES, pathOf, unknownMembersOf } from './api.ts';
import { canonicalFieldsOf } from './declare.ts';

/** The questions about policies. */
export const drmPolicyQuestions: KindQuestions = {
  reads: [
    {
      name: 'policies',
      path: POLICIES,
      itemsIn: policiesIn,
      integers: ['created', 'lastmod'],
      documented: {
        main: 'configs',
        ofItems: ['_id', 'policy_name', 'created', 'lastmod', 'lmsig', 'owner', ...Object.keys(canonicalFieldsOf({}))],
      },
      resettableIn: (exchange) => policiesIn(exchange)?.flatMap((config) => unknownMembersOf(config).map(({ path }) => path)),
    },
  ],
  rows: (unknown) => [{ name: 'unknown policy', method: 'GET', path: pathOf(unknown), twice: true }],
  readers: {
    'unknown-id-v3'(seen) {
      const exchange = seen.get('unknown policy');
      return policiesIn(exchange)?.length === 0 ? { found: 'no policy' } : unknownId(exchange, ['HTTP 404', 'error']);
    },
  },
  writes: { scratch: { noun: 'policy', list: POLICIES, pathOf, itemsIn: policiesIn, isScratch }, questions },
};

/** Returns the policies of an answer; undefined for any other answer. */
function policiesIn(exchange: Exchange | undefined): readonly Item[] | undefined {
  if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body)) return undefined;
  return asList(exchange.body.configs)?.filter(isObject);
}

/** Decides whether a policy is the scratch policy with this name. */
function isScratch(item: Item, name: string): boolean {
  return isNamed(item.policy_name, name);
}

/** The scratch policy of one probe, and how its requests carry data. */
interface Step extends Pick<WriteInput, 'configuredPost' | 'otherPost' | 'hasScopedKey'> {
  readonly policy: ScratchObject;
}

/** Returns the questions of one probe. */
function questions({ randomName, ...posts }: WriteInput): WriteQuestions {
  const policy: ScratchObject = { kind: 'policy', name: randomName() };
  const step: Step = { ...posts, policy };
  return {
    rows: policyRows(step),
    readers: policyReaders(step),
    idOf: (_object, seen) => idOfPolicy(policy, seen, 'policies created again') ?? policyIdIn(step, seen),
    isShown: (_object, seen) => policyIdIn(step, seen) !== undefined,
    rename: {
      request: 'rename policy',
      sent: oddName(policy.name),
      answered: (seen) => asString(policyIn(step, seen, 'rename policy')?.policy_name),
      stored: (seen) => asString(policyIn(step, seen, 'policies renamed')?.policy_name),
    },
    created: 'policies created',
    isAnswered: (seen) => createsOfPolicy.some((name) => idOfPolicy(policy, seen, name) !== undefined),
    createdId: (seen) => createdId(step, seen),
  };
}

function createdId(step: Step, seen: Exchanges): 'new' | 'existing' | undefined {
  const before = policiesIn(seen.get('policies before'));
  const created = policiesIn(seen.get('create policy'))?.find((item) => isScratch(item, step.policy.name));
  const id = policyIdIn(step, seen);
  if (before === undefined || before.length === 0 || created === undefined || id === undefined) return undefined;
  return idOf(created) === id ? 'new' : 'existing';
}

const LICENSE_SECONDS = 43_200;
const UPDATED_SECONDS = 50_000;
const OTHER_FORM_SECONDS = 60_000;
const BEGIN_SECONDS = 60;

const policyLists = ['policies created', 'policies updated', 'policies begin', 'policies other form', 'policies renamed'] as const;

/** Returns the ID of the scratch policy, as the lists show it. */
function policyIdIn({ policy }: Step, seen: Exchanges): string | undefined {
  const shown = policyLists.map((name) => idOfPolicy(policy, seen, name));
  return shown.find((id) => id !== undefined);
}

const createsOfPolicy = ['create policy', 'create policy once more'];

/** Returns the ID of a scratch policy in one answer. */
function idOfPolicy(policy: ScratchObject, seen: Exchanges, name: string): string | undefined {
  return idOf(policiesIn(seen.get(name))?.find((item) => isScratch(item, policy.name)));
}

/** Returns the requests with the scratch policy, in order. */
function policyRows(step: Step): readonly WriteRow[] {
  const { policy, otherPost } = step;
  const list = (name: string, more: Partial<WriteRow> = {}): WriteRow => ({ name, method: 'GET', path: POLICIES, ...more });
  const update = (name: string, item: JsonObject, more: Partial<WriteRow> = {}): WriteRow => ({
    name,
    method: 'POST',
    path: CREATE_OR_UPDATE,
    fill(seen) {
      const id = policyIdIn(step, seen);
      return id === undefined ? null : { body: { _id: id, policy_name: policy.name, ...item } };
    },
    ...more,
  });
  const ofPolicy = (row: WriteRow): WriteRow => ({
    ...row,
    fill(seen) {
      const id = policyIdIn(step, seen);
      return id === undefined ? null : { path: pathOf(id) };
    },
  });
  const create = { policy_name: policy.name, playready: { license_duration_seconds: LICENSE_SECONDS, can_persist: true } };
  return [
    list('policies before'),
    { name: 'create policy', method: 'POST', path: CREATE_OR_UPDATE, body: create, creates: true, intends: policy },
    // A create with a name that exists updates that policy, so that a refused one can be sent again.
    {
      name: 'create policy once more',
      method: 'POST',
      path: CREATE_OR_UPDATE,
      body: create,
      creates: true,
      intends: policy,
      fill: (seen) => (isRefused(seen.get('create policy')) ? {} : null),
    },
    list('policies created', {
      shows: (exchange, seen) =>
        [seen.get('create policy'), seen.get('create policy once more')].some((answer) => answer !== undefined && isSuccess(answer))
          ? policiesIn(exchange)?.some((item) => isScratch(item, policy.name))
          : undefined,
    }),
    update('update policy', { playready: { license_duration_seconds: UPDATED_SECONDS } }),
    list('policies updated'),
    update('begin', { playready: { license_begin_seconds: BEGIN_SECONDS } }),
    list('policies begin'),
    {
      ...update('other form', {}, { v3Post: otherPost, intends: policy }),
      fill(seen) {
        const id = policyIdIn(step, seen);
        return {
          body: {
            ...(id === undefined ? {} : { _id: id }),
            policy_name: policy.name,
            playready: { license_duration_seconds: OTHER_FORM_SECONDS },
          },
        };
      },
    },
    list('policies other form'),
    update('rename policy', { policy_name: oddName(policy.name) }),
    list('policies renamed'),
    ofPolicy({ name: 'delete policy', method: 'DELETE', path: pathOf('{policy}') }),
    list('policies deleted'),
    ofPolicy({ name: 'delete policy again', method: 'DELETE', path: pathOf('{policy}'), twice: true }),
    {
      name: 'create policy again',
      method: 'POST',
      path: CREATE_OR_UPDATE,
      intends: policy,
      fill: (seen) => (isPolicyDeleted(step, seen) ? { body: create } : null),
    },
    list('policies created again'),
  ];
}

function isPolicyDeleted(step: Step, seen: Exchanges): boolean {
  const id = policyIdIn(step, seen);
  const rest = policiesIn(seen.get('policies deleted'));
  const answer = seen.get('delete policy');
  if (id === undefined || answer === undefined || rest === undefined) return false;
  return isSuccess(answer) && rest.every((item) => idOf(item) !== id);
}

/** Returns the scratch policy of an answer. */
function policyIn(step: Step, seen: Exchanges, name: string): Item | undefined {
  const id = policyIdIn(step, seen);
  return policiesIn(seen.get(name))?.find((item) => idOf(item) === id);
}

function playreadyOf(item: Item | undefined): Item | undefined {
  return isObject(item) ? (isObject(item.playready) ? item.playready : {}) : undefined;
}

function licenseSeconds(step: Step, seen: Exchanges, name: string): number | undefined {
  return asInteger(playreadyOf(policyIn(step, seen, name))?.license_duration_seconds);
}

/** Returns the readers of the answers about policies, by assumption. */
function policyReaders(step: Step): Readers {
  return {
    [step.hasScopedKey ? 'scoped-key-v3-post' : 'v3-post'](seen: Exchanges) {
      const isCreated = licenseSeconds(step, seen, 'policies created') === LICENSE_SECONDS;
      const creates = createsOfPolicy.filter((name) => seen.has(name));
      const [configured, again = configured] = creates.map((name) => postResult(seen, name, isCreated));
      const other = postResult(seen, 'other form', licenseSeconds(step, seen, 'policies other form') === OTHER_FORM_SECONDS);
      // One refusal is none.
      if (configured === undefined || again !== configured || other === undefined) return NO_ANSWER;
      if (!configured && creates.length < 2) return NO_ANSWER;
      if (configured && other) return { found: 'both' };
      return { found: configured ? step.configuredPost : other ? step.otherPost : 'neither' };
    },
    'policy-update'(seen) {
      const [before, after] = ['policies created', 'policies updated'].map((name) => playreadyOf(policyIn(step, seen, name)));
      if (before === undefined || after === undefined) return NO_ANSWER;
      // An answer that does not show what the list shows afterwards comes from somewhere else.
      const answered = licenseSeconds(step, seen, 'update policy');
      if (answered === undefined || answered !== asInteger(after.license_duration_seconds)) return NO_ANSWER;
      if (asBoolean(before.can_persist) !== true) return NO_ANSWER;
      if (asInteger(after.license_duration_seconds) !== UPDATED_SECONDS) return { found: 'does something else' };
      return { found: after.can_persist === true ? 'keeps' : 'resets' };
    },
    'policy-rename'(seen) {
      const scratch = policiesIn(seen.get('policies renamed'))?.filter((item) => isScratch(item, step.policy.name)) ?? [];
      const [before, after] = ['policies other form', 'policies renamed'].map((name) => policyIn(step, seen, name)?.policy_name);
      if (!succeeded(seen, 'rename policy') || before === undefined || after === undefined) return NO_ANSWER;
      if (after !== before) return scratch.length === 1 ? { found: 'renames' } : NO_ANSWER;
      return scratch.length > 1 ? { found: 'creates another' } : notFound('the new name is stored as the old one');
    },
    'policy-answers': (seen) => agreed(['update policy', 'begin', 'rename policy'].map((name) => shownPolicies(step, seen, name))),
    'abridged-policies'(seen) {
      const shown = policyIn(step, seen, 'policies updated');
      const playready = playreadyOf(shown);
      if (shown === undefined || playready === undefined) return NO_ANSWER;
      const fairplay = isObject(shown.fairplay) ? shown.fairplay : {};
      const present = [playready.can_play, playready.realtime_expiration, fairplay.lease].map((value) => value !== undefined);
      return present.every((each) => each) ? { found: 'shown' } : present.some((each) => each) ? NO_ANSWER : { found: 'left out' };
    },
    'license-begin'(seen) {
      if (policyIn(step, seen, 'begin') === undefined) return notFound('it cannot be set, or there was no usable answer');
      const playready = playreadyOf(policyIn(step, seen, 'policies begin'));
      if (playready === undefined) return NO_ANSWER;
      const shown = asInteger(playready.license_begin_seconds);
      if (shown === undefined) return { found: 'not shown' };
      return shown === BEGIN_SECONDS ? { found: 'shown' } : notFound('it was not set');
    },
    'policy-times'(seen) {
      const created = policyIn(step, seen, 'policies created');
      // A create that was sent twice has updated the policy.
      if (created === undefined || !succeeded(seen, 'create policy')) return NO_ANSWER;
      const [from, to] = [asInteger(created.created), asInteger(created.lastmod)];
      if (from === undefined || to === undefined) return { found: 'missing' };
      return { found: Math.abs(to - from) <= 1000 ? 'within a second' : 'apart' };
    },
    'policy-delete-again'(seen) {
      if (!isPolicyDeleted(step, seen)) return notFound('the policy was not deleted for certain');
      return deletedAgain(seen.get('delete policy again'), ['error', 'HTTP 404']);
    },
    'policy-name-reuse'(seen) {
      const answer = seen.get('create policy again');
      const list = policiesIn(seen.get('policies created again'));
      if (answer === undefined || list === undefined) return NO_ANSWER;
      const isThere = list.some((item) => isScratch(item, step.policy.name));
      if (isSuccess(answer)) return isThere ? { found: 'accepted' } : NO_ANSWER;
      return refusalOf(answer) === undefined || isThere ? NO_ANSWER : { found: 'refused' };
    },
  };
}

/** Returns whether a POST was accepted and took effect; undefined where the answer says neither, as where the key may not write. */
function postResult(seen: Exchanges, name: string, tookEffect: boolean): boolean | undefined {
  const answer = seen.get(name);
  if (answer === undefined) return undefined;
  if (isSuccess(answer)) return tookEffect ? true : undefined;
  const mayNotWrite = answer.status === 401 || answer.status === 403;
  return refusalOf(answer) === undefined || mayNotWrite || tookEffect ? undefined : false;
}

function shownPolicies(step: Step, seen: Exchanges, name: string): string | undefined {
  const [shown, all] = [policiesIn(seen.get(name)), policiesIn(seen.get('policies created'))];
  const id = policyIdIn(step, seen);
  if (shown === undefined || all === undefined || id === undefined) return undefined;
  if (!shown.some((item) => idOf(item) === id)) return 'not the written one';
  return shown.length === all.length ? 'all' : shown.length === 1 ? 'the written one' : undefined;
}
