/** Collects the answers of `init` from flags and, on a terminal, from the user. */

import { CliError, EXIT_CODES, interrupted } from '../../app/exit-codes.ts';
import { CI_SYSTEMS } from '../../app/options.ts';
import { type CliContext, interruption } from '../../app/runtime.ts';
import { baseUrl } from '../../config/project-file.ts';
import { lineReader } from '../prompt.ts';
import type { InitAnswers } from './files.ts';

/** Flags of `init` that answer its questions. */
export interface Answers {
  readonly baseUrl?: string | undefined;
  readonly name?: string | undefined;
  readonly ci?: InitAnswers['ci'] | undefined;
  readonly fromLive?: true | undefined;
}

/** A question: its flag, text, default (null = none) and parser. */
interface Question<Answer> {
  readonly flag: string;
  readonly words: string;
  readonly initial: string | null;
  read(text: string): Answer | Error;
}

const URL_QUESTION: Question<string> = {
  flag: '--base-url',
  words: 'Address of the service, without /api',
  initial: null,
  read: (text) => baseUrl(text) ?? new Error('it is an https address without user, query or fragment; http only to this machine'),
};

const NAME_QUESTION: Question<string> = {
  flag: '--name',
  words: 'Name of the target',
  initial: 'production',
  read: (text) =>
    /^(?!locks$)[a-z0-9-]+$/.test(text) ? text : new Error('it has lower-case letters, digits and dashes, and is not `locks`'),
};

const CI_QUESTION: Question<InitAnswers['ci']> = {
  flag: '--ci',
  words: 'CI recipe: github, gitlab or none',
  initial: 'github',
  read: (text) => CI_SYSTEMS.find((each) => each === text) ?? new Error(`it is one of ${CI_SYSTEMS.join(', ')}`),
};

const LIVE_QUESTION: Question<boolean> = {
  flag: '--from-live',
  words: 'Start from what the account holds now (needs UPKEEP_OWNER and UPKEEP_API_KEY): yes or no',
  initial: 'no',
  read: (text) => (text === 'yes' ? true : text === 'no' ? false : new Error('it is yes or no')),
};

/** Returns all answers: from the flag, else from the user on a terminal, else the default. @throws CliError if one is invalid or missing */
export async function answersOf(io: CliContext, flags: Answers): Promise<Omit<InitAnswers, 'ledger'>> {
  const ask = asker(io);
  return {
    baseUrl: await answer(URL_QUESTION, flags.baseUrl, ask),
    target: await answer(NAME_QUESTION, flags.name, ask),
    ci: await answer(CI_QUESTION, flags.ci, ask),
    fromLive: await answer(LIVE_QUESTION, flags.fromLive && 'yes', ask),
  };
}

/** Asks one question; returns null without a terminal. */
type Ask = (words: string) => Promise<string | null>;

async function answer<Answer>(question: Question<Answer>, given: string | undefined, ask: Ask): Promise<Answer> {
  const { flag, words, initial, read } = question;
  const asked = given === undefined ? await ask(initial === null ? words : `${words} [${initial}]`) : null;
  const text = given ?? (asked?.trim() || initial);
  if (text === null)
    throw new CliError(EXIT_CODES.invalid, 'usage', `init needs ${flag}`, 'there is no default, because upkeep writes to this address');
  const found = read(text);
  // The text is not repeated: an address may contain a password by mistake.
  if (found instanceof Error)
    throw new CliError(EXIT_CODES.invalid, 'usage', `${flag} cannot be taken: ${found.message}`, 'see `upkeep init --help`');
  return found;
}

function asker(io: CliContext): Ask {
  const nextLine = lineReader(io.stdin);
  return async (words) => {
    if (!io.terminal.stdin || !io.terminal.stderr) return null;
    io.line.ask(`${words}: `);
    const line = await Promise.race([nextLine(), interruption(io.signal)]);
    if (io.signal.aborted || line === undefined) throw interrupted();
    io.line.answered();
    return line;
  };
}
