/** Sentences and words in HTML. */
import type { Effect } from '../../model/change.ts';
import { html } from '../escape.ts';
import { cut } from '../text/layout.ts';
import type { Line } from '../view/model.ts';

/** Characters of a sentence that are shown; our own are shorter. */
const LONGEST_SENTENCE = 1_000;

/** A text of any length, without what goes beyond a sentence; not escaped. */
export function sentenceOf(text: string): string {
  return cut(text, LONGEST_SENTENCE);
}

/** The same, escaped; what stands between backticks as code. */
export function renderSentence(text: string): string {
  return quoted(sentenceOf(text));
}

/** What the author of a sentence, or data in it, put in backticks. */
function quoted(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 0 ? html(part) : `<code>${html(part)}</code>`))
    .join('');
}

/** A sentence about the whole document. */
export function paragraph({ tone, text, whole }: Line): string {
  return `<p class="${tone}">${whole ? quoted(text) : renderSentence(text)}</p>`;
}

const EFFECTS: { readonly [effect in Effect]: string } = {
  loosens: '<span class="mark alarm"><span aria-hidden="true">▲ </span>loosens</span>',
  tightens: '<span class="mark good"><span aria-hidden="true">▼ </span>tightens</span>',
  neutral: '',
};

/** What an effect is called, with a sign for the eye; nothing of a neutral one. */
export function effectMark(effect: Effect): string {
  return EFFECTS[effect];
}
