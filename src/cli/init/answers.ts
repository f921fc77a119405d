/** Collects the answers of `init` from flags and, on a terminal, from the user. */

import { CliError, interrupted } from '../../app/run/exit-codes.ts';
import { waitForInterrupt } from '../../app/run/runtime.ts';
import { normalizeBaseUrl } from '../../core/config/project.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CI_SYSTEMS } from '../flags.ts';
import { lineReader } from '../prompt.ts';
import type { CliContext } from '../status-line.ts';
import type { InitAnswers } from './files.ts';

/** Flags of `init` that answer its questions. */
export interface AnswerFlags {
  readonly baseUrl?: string | undefined;
  readonly name?: string | undefined;
  readonly ci?: InitAnswers['ci'] | undefined;
  readonly fromLive?: true | undefined;
}

/** A question: its flag, text, default (null = none) and parser. */
interface Question<Answer> {
  readonly flag: string;
  readonly text: string;
  readonly initial: string | null;
  /** Parses an answer; `error` is a sentence about the valid form. */
  parse(text: string): { readonly answer: Answer } | { readonly error: string };
}

const URL_QUESTION: Question<string> = {
  flag: '--base-url',
  text: 'Address of the service, without /api',
  initial: null,
  parse(text) {
    const url = normalizeBaseUrl(text);
    return url === null ? { error: 'it is an https address without user, query or fragment; http only to this machine' } : { answer: url };
  },
};

const NAME_QUESTION: Question<string> = {
  flag: '--name',
  text: 'Name of the target',
  initial: 'production',
  parse: (text) =>
    /^(?!locks$)[a-z0-9-]+$/.test(text) ? { answer: text } : { error: 'it has lower-case letters, digits and dashes, and is not `locks`' },
};

const CI_QUESTION: Question<InitAnswers['ci']> = {
  flag: '--ci',
  text: 'CI recipe: github, gitlab or none',
  initial: 'github',
  parse(text) {
    const system = CI_SYSTEMS.find((each) => each === text);
    return system === undefined ? { error: `it is one of ${CI_SYSTEMS.join(', ')}` } : { answer: system };
  },
};

const LIVE_QUESTION: Question<boolean> = {
  flag: '--from-live',
  text: 'Start from what the account holds now (needs UPKEEP_OWNER and UPKEEP_API_KEY): yes or no',
  initial: 'no',
  parse: (text) => (text === 'yes' || text === 'no' ? { answer: text === 'yes' } : { error: 'it is yes or no' }),
};

/** Returns all answers: from the flag, else from the user on a terminal, else the default. @throws CliError if one is invalid or missing */
export async function answersOf(io: CliContext, flags: AnswerFlags): Promise<Omit<InitAnswers, 'ledger' | 'release'>> {
  const ask = createAsk(io);
  return {
    baseUrl: await answer(URL_QUESTION, flags.baseUrl, ask),
    target: await answer(NAME_QUESTION, flags.name, ask),
    ci: await answer(CI_QUESTION, flags.ci, ask),
    fromLive: await answer(LIVE_QUESTION, flags.fromLive && 'yes', ask),
  };
}

/** Asks one question; returns null without a terminal. */
type Ask = (text: string) => Promise<string | null>;

/** Returns the answer to one question. @throws CliError if it is invalid or missing */
async function answer<Answer>(question: Question<Answer>, flagValue: string | undefined, ask: Ask): Promise<Answer> {
  const { flag, initial } = question;
  const line = flagValue === undefined ? await ask(initial === null ? question.text : `${question.text} [${initial}]`) : null;
  const text = flagValue ?? (line?.trim() || initial);
  if (text === null)
    throw new CliError(EXIT_CODES.invalid, 'usage', `init needs ${flag}`, 'there is no default, because upkeep writes to this address');
  const parsed = question.parse(text);
  if ('answer' in parsed) return parsed.answer;
  // The text is not repeated: an address may contain a password by mistake.
  throw new CliError(EXIT_CODES.invalid, 'usage', `${flag} is invalid: ${parsed.error}`, 'see `upkeep init --help`');
}

function createAsk(io: CliContext): Ask {
  const nextLine = lineReader(io.stdin);
  return async (text) => {
    if (!io.terminal.stdin || !io.terminal.stderr) return null;
    io.line.ask(`${text}: `);
    const line = await Promise.race([nextLine(), waitForInterrupt(io.signal)]);
    if (io.signal.aborted || line === undefined) throw interrupted();
    io.line.answered();
    return line;
  };
}
