/** Several targets in one run: each in a process of its own that sees no credential of another, a few of them at a time. */
import { availableParallelism } from 'node:os';
import type { Target } from '../../engine/desired/configuration.ts';
import { memberEnvironment } from '../child-environment.ts';
import { questioner } from '../confirm.ts';
import { EXIT, type Exit, failureOf, interrupted, isExit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Reports } from '../output.ts';
import { createProgress } from '../progress.ts';
import type { Session } from '../session.ts';
import { createStatus } from '../status.ts';
import type { Order, Question, StartMember, Told } from './messages.ts';
import { createTurns, type Turns } from './turns.ts';

/** Most members at a time: they mostly wait for the service, so two for each processor; each takes around 100 MB, so no more than eight. */
export const TOGETHER = Math.min(8, 2 * availableParallelism());

/** What a fleet is made of. */
export interface Fleet {
  readonly session: Session;
  /** The chosen ones, in the order in which they are reported. */
  readonly targets: readonly Target[];
  readonly quiet: boolean;
  /** Whether members will ask the user: then there is one at a time, so that nothing is held locked or grows old behind a question. */
  readonly asks: boolean;
}

/** What the members share. */
interface Deck {
  readonly io: Io;
  readonly fleet: Fleet;
  readonly reports: Reports;
  readonly turns: Turns;
  readonly ask: (question: Question) => Promise<boolean>;
  readonly start: StartMember;
  /** What went wrong here while members spoke: it is ours, and waits until all of them have ended. */
  readonly faults: unknown[];
}

/** Runs all members and takes their reports in the order of the targets. One that fails stops no other; an interrupt reaches them all. */
export async function runFleet(io: Io, fleet: Fleet, reports: Reports): Promise<readonly Exit[]> {
  const [turns, status, ask, start] = [createTurns(), createStatus(io, fleet.quiet), questioner(io), await io.members()];
  const deck: Deck = { io, fleet, reports, turns, ask, start, faults: [] };
  const progress = createProgress('targets', fleet.targets.length, io.now);
  const queue = fleet.targets.entries();
  const exits: Exit[] = [];
  const crew = async (): Promise<void> => {
    for (const [place, target] of queue) {
      exits.push(await runMember(deck, place, target));
      turns.close(place);
      progress.reached(exits.length, fleet.targets.length);
      status.show(progress.line);
    }
  };
  status.show(progress.line);
  await Promise.all(Array.from({ length: fleet.asks ? 1 : TOGETHER }, crew));
  status.clear();
  if (deck.faults.length > 0) throw deck.faults[0];
  return exits;
}

async function runMember(deck: Deck, place: number, target: Target): Promise<Exit> {
  const { io, fleet } = deck;
  const fail = (stop: Stop): Exit => {
    inTurn(deck, place, () => deck.reports.add({ type: 'failure', failure: failureOf(target.name, stop) }));
    return stop.exit;
  };
  if (io.signal.aborted) return fail(interrupted());
  let hasReported = false;
  const env = memberEnvironment(io, fleet.session.project.targets, target);
  const member = deck.start({ target: target.name, argv: io.argv, env }, (told) => {
    hasReported ||= told.type === 'add';
    hear(deck, place, target, told, (order) => member.order(order));
  });
  const interrupt = (): void => member.order({ type: 'interrupt' });
  if (io.signal.aborted) interrupt();
  io.signal.addEventListener('abort', interrupt, { once: true });
  const how = await member.ended;
  io.signal.removeEventListener('abort', interrupt);
  return hasReported && isExit(how) ? how : fail(lost(target, how));
}

/** Does what a member says: stderr, events, each of which names its target, and the list of what it read at once, everything else in its turn. */
function hear(deck: Deck, place: number, target: Target, told: Told, order: (order: Order) => void): void {
  const { io, reports } = deck;
  if (told.type === 'say') {
    io.stderr.write(signed(target.name, told.text));
  } else if (told.type === 'tell') {
    reports.tell(told.events);
  } else if (told.type === 'read') {
    reports.spare(new Set(told.files));
  } else if (told.type === 'ask') {
    inTurn(deck, place, async () => {
      let yes = false;
      try {
        yes = await deck.ask(told.question);
      } finally {
        order({ type: 'answer', yes });
      }
    });
  } else {
    inTurn(deck, place, () => reports[told.type](told.document, told.look));
  }
}

function inTurn({ turns, faults }: Deck, place: number, act: () => void | Promise<void>): void {
  turns.at(place, () => {
    const acting = async (): Promise<void> => act();
    // Whoever spoke cannot help what goes wrong here, and neither can the others.
    acting().catch((error: unknown) => faults.push(error));
  });
}

/** Whole lines under the name of the target that they are about; a log entry in JSON stays one, with a member more. */
function signed(target: string, text: string): string {
  return text.replace(/^.+$/gm, (line) =>
    line.startsWith('{') ? `{"target":${JSON.stringify(target)},${line.slice(1)}` : `${target}: ${line}`,
  );
}

function lost({ name }: Target, how: number | string): Stop {
  const ending = typeof how === 'number' ? `ended with exit code ${how}` : how;
  return new Stop(
    EXIT.error,
    'member-lost',
    `the process for ${name} ${ending} before all was said`,
    `see where it stands with \`upkeep plan -t ${name}\``,
  );
}
