/** The second step of a probe: writes of scratch objects only, with random names. */
import type { Exchanges, Readers, ScratchObject, WriteQuestions, WriteRow } from '../core/kinds/probe.ts';
import { agreed, isSuccess, NO_ANSWER, refusalOf } from '../core/kinds/probe-answers.ts';
import { randomHex } from './exchange.ts';
import { KIND_QUESTIONS } from './kind-questions.ts';

/** The step for one probe: its requests, and the readers of its answers. */
export interface WriteStep {
  readonly rows: readonly WriteRow[];
  readonly readers: Readers;
  /** Returns the ID of a scratch object, the latest one, where an answer shows it. */
  idOf(object: ScratchObject, seen: Exchanges): string | undefined;
  /** Decides whether an answer showed that a scratch object existed, or that none was created: if reads do not show it, it does not exist. */
  isShown(object: ScratchObject, seen: Exchanges): boolean;
}

/**
 * Builds the step. `asset` is the ID of an asset without an asset playlist; without one, no playlist is written. `configuredPost` is how a v3
 * POST carries its data with this key.
 */
export function writeStep(asset: string | undefined, configuredPost: 'form' | 'json', hasScopedKey: boolean): WriteStep {
  const otherPost = configuredPost === 'form' ? 'json' : 'form';
  const input = { asset, configuredPost, otherPost, hasScopedKey, randomName: randomHex } as const;
  const questions = KIND_QUESTIONS.flatMap(({ writes }) => writes?.questions(input) ?? []);
  const questionsAbout = ({ name }: ScratchObject) => questions.find(({ rows }) => rows.some(({ intends }) => intends?.name === name));
  return {
    rows: questions.flatMap(({ rows }) => rows),
    readers: Object.assign({}, ...questions.map(({ readers }) => readers), sharedReaders(questions)),
    idOf: (object, seen) => questionsAbout(object)?.idOf(object, seen),
    isShown: (object, seen) => questionsAbout(object)?.isShown(object, seen) === true,
  };
}

/** Returns the readers of answers about all kinds that are written. */
function sharedReaders(questions: readonly WriteQuestions[]): Readers {
  return {
    'names-stored': (seen) =>
      agreed(
        questions.map(({ rename: { request, sent, stored } }) => {
          const answer = seen.get(request);
          if (answer === undefined) return undefined;
          const text = stored(seen);
          if (isSuccess(answer)) return text === undefined ? undefined : storedForm(sent, text);
          return refusalOf(answer) === undefined ? undefined : 'refused';
        }),
      ),
    'names-answered': (seen) =>
      agreed(
        questions.map(({ rename: { sent, answered, stored } }) => {
          const [answer, text] = [answered(seen), stored(seen)];
          if (answer === undefined || text === undefined || text === sent) return undefined;
          return answer === text ? 'stored' : answer === sent ? 'asSent' : undefined;
        }),
        'names are stored as they are sent, or there was no usable answer',
      ),
    'read-delay'(seen) {
      const delays = questions.flatMap(({ created }) => seen.get(created)?.shownAfterMs ?? []);
      const isMissing = questions.some(({ created, isAnswered }) => seen.get(created)?.shownAfterMs === null && isAnswered(seen));
      if (isMissing) return { found: 'not within 20 s' };
      if (delays.length === 0) return NO_ANSWER;
      const longest = Math.max(...delays);
      return longest === 0 ? { found: 'at once' } : { found: 'later', detail: `within ${(longest / 1000).toFixed(1)} s` };
    },
    'ids-answered': (seen) =>
      agreed(
        questions.map(({ createdId }) => createdId(seen)),
        'the account has no other object, or there was no usable answer',
      ),
  };
}

const HTML_ESCAPES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns the form in which a name is stored. */
function storedForm(sent: string, stored: string): string {
  if (stored === sent) return 'asSent';
  if (stored === sent.trim()) return 'trimmed';
  if (stored === sent.normalize('NFC')) return 'nfc';
  if (stored === sent.replace(/[&<>]/g, (character) => HTML_ESCAPES[character] ?? character)) return 'escaped';
  return sent.startsWith(stored) ? 'cut' : 'in another form';
}
