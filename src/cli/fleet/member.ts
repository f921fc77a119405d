import type { World } from '../io.ts';
import type { Order, Question, Told } from './messages.ts';

/** What a member has from the outside world; everything else goes over its line. */
export interface Outside extends Pick<World, 'env' | 'cwd' | 'now'> {
  /** Whether somebody can be asked at all: the standard input is a terminal. It is never read from. */
  readonly canAsk: boolean;
}

/** The world of a member, and the end at which its orders come in; `tell` takes what it says. */
export function memberWorld(
  target: string,
  tell: (told: Told) => void,
  { canAsk, ...outside }: Outside,
): { readonly world: World; readonly order: (order: Order) => void } {
  const interrupt = new AbortController();
  let answered = (_yes: boolean): void => undefined;
  const ask = (question: Question): Promise<boolean> => {
    tell({ type: 'ask', question });
    return new Promise((resolve) => {
      answered = resolve;
    });
  };
  const world: World = {
    ...outside,
    // Reports go over the line as documents.
    stdout: { write: () => undefined },
    stderr: { write: (text) => tell({ type: 'say', text }) },
    stdin: nothing(),
    signal: interrupt.signal,
    terminal: { stdin: canAsk, stdout: false, stderr: false, columns: 80 },
    fleet: { target, tell, ask },
    async members() {
      throw new Error('a member of a fleet has no members');
    },
  };
  const order = (given: Order): void => {
    if (given.type === 'answer') answered(given.yes);
    else interrupt.abort();
  };
  return { world, order };
}

async function* nothing(): AsyncIterable<string> {}
