/** Clients that load an emulator: each writes objects of its own, and knows which writes were acknowledged. */
import { isObject } from '../../../src/core/model/json.ts';
import { asString } from '../../../src/core/model/json-readers.ts';
import { type AccountRead, INCOMPLETE, type LoadObject, PLAYLISTS, playlistVersion, writeRequest } from './objects.ts';
import { type LoadResponse, type SendSigned, signed } from './wire.ts';

/** Counts and errors of all clients so far. */
export interface Tally {
  requests: number;
  acknowledged: number;
  readonly latenciesMs: number[];
  /** One sentence for each response that the service must not send. */
  readonly errors: string[];
  replays: number;
}

/** A client, which sends one request at a time. */
export interface Client {
  /** Sends requests until `isDone` returns true; resolves to false if the connection breaks before that. */
  work(url: string, isDone: () => boolean): Promise<boolean>;
  /** Returns one sentence for each acknowledged write that the account does not contain, and continues from the state of the account. */
  verify(account: AccountRead): readonly string[];
}

/** Number of groups that each client creates, because groups are never deleted. */
const MAX_GROUPS = 8;

/** Creates the client with this number. A quarter of its requests write a policy or a group, the others read and write playlists. */
export function createClient(number: number, tally: Tally): Client {
  const object = (key: string, type: LoadObject['type']): LoadObject => ({
    key: `c${number}${key}`,
    type,
    id: '',
    version: 0,
    unconfirmed: null,
  });
  const playlists = [1, 2, 3, 4].map((each) => object(`playlist${each}`, 'playlist'));
  const groups = Array.from({ length: MAX_GROUPS }, (_, each) => object(`group${each}`, 'group'));
  const policy = object('policy', 'policy');
  let turn = number;
  let highest = 0;

  async function send(url: string, request: SendSigned): Promise<LoadResponse> {
    const started = performance.now();
    const response = await request(url);
    tally.latenciesMs.push(performance.now() - started);
    tally.requests += 1;
    if (response.status >= 300) tally.errors.push(`client ${number}: HTTP ${response.status} ${JSON.stringify(response.body)}`);
    return response;
  }

  async function write(url: string, target: LoadObject, next: number): Promise<void> {
    const request = writeRequest(target, next);
    target.unconfirmed = next;
    const { body } = await send(url, request);
    target.version = next;
    target.unconfirmed = null;
    if (target.type === 'playlist') target.id = next === 0 ? '' : ((isObject(body) ? asString(body.id) : undefined) ?? '');
    tally.acknowledged += 1;
    if (turn % 20 === 0) await replay(url, request);
  }

  /** Sends the same `msg` and `sig` again, which must be rejected (api-notes section 1, point 6). */
  async function replay(url: string, request: SendSigned): Promise<void> {
    const { status } = await request(url);
    tally.replays += 1;
    if (status !== 400) tally.errors.push(`client ${number}: a replay got status ${status}`);
  }

  async function read(url: string, target: LoadObject): Promise<void> {
    const { body } = await send(url, signed('GET', `${PLAYLISTS}/${target.id}`));
    const version = isObject(body) ? playlistVersion(target.key, body) : INCOMPLETE;
    if (version !== target.version) tally.errors.push(`client ${number}: ${target.key} was ${target.version}, and reads as ${version}`);
  }

  async function sendNext(url: string): Promise<void> {
    turn += 1;
    const own = playlists[turn % playlists.length];
    const group = groups.find(({ version }) => version === 0);
    if (turn % 16 === 0 && group) return write(url, group, 1);
    if (turn % 8 === 0) return write(url, policy, ++highest);
    if (!own || own.version === 0) return write(url, own ?? policy, ++highest);
    if (turn % 11 === 0) return write(url, own, 0);
    return turn % 3 === 0 ? write(url, own, ++highest) : read(url, own);
  }

  return {
    async work(url, isDone) {
      try {
        while (!isDone()) await sendNext(url);
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error) return false;
        throw error;
      }
    },
    verify(account) {
      return [...playlists, ...groups, policy].flatMap((each) => {
        const { version = 0, id = '' } = account.get(each.key) ?? {};
        const expected = each.unconfirmed === null ? [each.version] : [each.version, each.unconfirmed];
        Object.assign(each, { version, id, unconfirmed: null });
        return expected.includes(version) ? [] : [`${each.key}: expected version ${expected.join(' or ')}, found ${version}`];
      });
    },
  };
}
