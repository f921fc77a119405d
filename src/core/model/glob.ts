/** Decides whether a glob matches an address or a name. `*`, the only special character, also matches `/` (design section 1). */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.split('*');
  const [first = ''] = parts;
  if (parts.length === 1) return glob === text;
  if (!text.startsWith(first)) return false;
  const last = parts[parts.length - 1] ?? '';
  const end = text.length - last.length;
  if (end < first.length || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** Decides whether a glob can match an address that begins with `prefix`, to find out which kinds `--only` selects. */
export function mayMatchBelow(glob: string, prefix: string): boolean {
  const star = glob.indexOf('*');
  const literal = star < 0 ? glob : glob.slice(0, star);
  return literal.startsWith(prefix) || (star >= 0 && prefix.startsWith(literal));
}
