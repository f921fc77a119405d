/** Clients that load an emulator and know what it owes them: each writes things of its own, and remembers what was acknowledged. */
import { isObject } from '../../../src/model/json.ts';
import { asString } from '../../../src/model/json-readers.ts';
import { type AccountRead, PLAYLISTS, playlistVersion, type Thing, TORN, writing } from './objects.ts';
import { type Answer, type Call, signed } from './wire.ts';

/** What the load has seen so far. */
export interface Tally {
  requests: number;
  acknowledged: number;
  readonly latenciesMs: number[];
  /** One sentence for each answer that a service may not give. */
  readonly wrong: string[];
  replays: number;
}

/** A client, at work on one thing at a time. */
export interface Client {
  /** Works until `until` says so (true), or until the connection breaks (false). */
  work(url: string, until: () => boolean): Promise<boolean>;
  /** Compares what it was promised with what is found, one sentence a breach, and goes on from what is found. */
  settle(account: AccountRead): readonly string[];
}

/** Groups are never deleted, so each client makes only so many. */
const GROUPS = 8;

/** A client of this number: a fourth of its requests are writes of a policy or a group, the others reads and writes of playlists. */
export function createClient(number: number, tally: Tally): Client {
  const thing = (key: string, sort: Thing['sort']): Thing => ({ key: `c${number}${key}`, sort, id: '', version: 0, doubtful: null });
  const playlists = [1, 2, 3, 4].map((each) => thing(`playlist${each}`, 'playlist'));
  const groups = Array.from({ length: GROUPS }, (_, each) => thing(`group${each}`, 'group'));
  const policy = thing('policy', 'policy');
  let turn = number;
  let highest = 0;

  async function ask(url: string, call: Call): Promise<Answer> {
    const started = performance.now();
    const answer = await call(url);
    tally.latenciesMs.push(performance.now() - started);
    tally.requests += 1;
    if (answer.status >= 300) tally.wrong.push(`client ${number}: HTTP ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async function write(url: string, what: Thing, next: number): Promise<void> {
    const call = writing(what, next);
    what.doubtful = next;
    const { body } = await ask(url, call);
    what.version = next;
    what.doubtful = null;
    if (what.sort === 'playlist') what.id = next === 0 ? '' : ((isObject(body) ? asString(body.id) : undefined) ?? '');
    tally.acknowledged += 1;
    if (turn % 20 === 0) await replay(url, call);
  }

  /** The same `msg` and `sig` in the same second (api-notes section 1, point 6). */
  async function replay(url: string, call: Call): Promise<void> {
    const { status } = await call(url);
    tally.replays += 1;
    if (status !== 400) tally.wrong.push(`client ${number}: a replay was answered ${status}`);
  }

  async function read(url: string, what: Thing): Promise<void> {
    const { body } = await ask(url, signed('GET', `${PLAYLISTS}/${what.id}`));
    const version = isObject(body) ? playlistVersion(what.key, body) : TORN;
    if (version !== what.version) tally.wrong.push(`client ${number}: ${what.key} was ${what.version}, and reads as ${version}`);
  }

  async function step(url: string): Promise<void> {
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
    async work(url, until) {
      try {
        while (!until()) await step(url);
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error) return false;
        throw error;
      }
    },
    settle(account) {
      return [...playlists, ...groups, policy].flatMap((each) => {
        const { version = 0, id = '' } = account.get(each.key) ?? {};
        const promised = each.doubtful === null ? [each.version] : [each.version, each.doubtful];
        Object.assign(each, { version, id, doubtful: null });
        return promised.includes(version) ? [] : [`${each.key}: ${promised.join(' or ')} was promised, ${version} is there`];
      });
    },
  };
}
