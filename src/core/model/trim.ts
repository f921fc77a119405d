/**
 * Returns a text without these characters at its end. In linear time: a regular expression such as `/-+$/` begins anew at each dash, so a
 * long run of dashes in the middle takes quadratic time.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
