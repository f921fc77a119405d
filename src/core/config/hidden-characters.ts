/**
 * Warns about characters that nobody sees in the names and texts of a configuration: two texts that differ in one look the same, or are shown
 * in another order.
 */
import { type UnlocatedFinding, warningFinding } from '../kinds/kind.ts';
import { firstOf } from '../model/collections.ts';
import { isJsonObject, isList, type Json, type Path } from '../model/json.ts';

/** Printable ASCII and the breaks of lines. Most texts are. */
const PLAIN = /^[\x20-\x7e\t\n\r]*$/;

/** Invisible and bidirectional characters and separators of lines, without the visible signs for numbers among the format characters. */
const HIDDEN =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800]/gu;

/** Emoji with the joiners, variation selectors and tags that are part of them: sequences, keycaps and flags of regions. */
const EMOJI =
  /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}|\p{Extended_Pictographic}\p{EMod}?[\ufe0e\ufe0f]?(?:\u200d\p{Extended_Pictographic}\p{EMod}?\ufe0f?)*|[0-9#*]\ufe0f\u20e3/gu;

/** Maximum number of code points that a warning names. */
const MAX_CHARACTERS = 4;

/** Returns a warning for each name and each text that has hidden characters, at its path in the content. */
export function hiddenCharacters(content: Json): readonly UnlocatedFinding[] {
  const found: UnlocatedFinding[] = [];
  // One list for all values: a path of its own for each of them would take longer than the search.
  const path: (string | number)[] = [];
  const search = (value: Json): void => {
    if (typeof value === 'string') {
      if (!PLAIN.test(value)) found.push(...warningsAbout('the text', value, path));
    } else if (isList(value)) for (let index = 0; index < value.length; index++) searchMember(index, value[index] ?? null);
    else if (isJsonObject(value)) for (const name in value) searchMember(name, value[name] ?? null);
  };
  const searchMember = (step: string | number, member: Json): void => {
    path.push(step);
    if (typeof step === 'string' && !PLAIN.test(step))
      for (const finding of warningsAbout('the name', step, path)) found.push({ ...finding, part: 'key' });
    if (typeof member === 'string' || typeof member === 'object') search(member);
    path.pop();
  };
  search(content);
  return found;
}

function warningsAbout(noun: string, text: string, path: Path): readonly UnlocatedFinding[] {
  const characters = hiddenCharactersIn(text);
  if (characters.length === 0) return [];
  const many = characters.length === 1 ? 'the hidden character' : 'the hidden characters';
  const summary = `${noun} holds ${many} ${firstOf(characters, MAX_CHARACTERS).join(', ')}`;
  const hint = 'Remove what cannot be seen: names that differ only in it look the same, or are shown in another order.';
  return [warningFinding('hidden-character', [...path], summary, hint)];
}

/** Returns the hidden characters of a text, each once, as `U+200B`. Those within emoji do not count. */
function hiddenCharactersIn(text: string): readonly string[] {
  const found = text.replace(EMOJI, '').match(HIDDEN) ?? [];
  return [...new Set(found)].map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
}
