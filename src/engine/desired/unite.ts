/** The documents of one source as one value (design section 3, overlay): the same key twice within a source is a mistake. */
import { type Fields, isFields, type Json, type Path, pointer } from '../../model/json.ts';
import type { Part, Source } from './load.ts';
import { siteIn, type Written } from './places.ts';

/** One source as one value, and which document says what. */
export interface United extends Written {
  readonly value: Fields;
  /** What a document says again that an earlier one has said. */
  readonly repeated: readonly { readonly path: Path; readonly part: Part; readonly earlier: Part }[];
  /** Sections with nothing behind the colon; they are left out of the value. */
  readonly bare: readonly { readonly path: Path; readonly part: Part }[];
}

/** Joins the documents of a source: keyed sections by their members, all others whole. What is said twice keeps its first value. */
export function unite(parts: Source, keyed: ReadonlySet<string>): United {
  const value: { [section: string]: Json } = Object.create(null);
  const joined = new Map<string, { [key: string]: Json }>();
  const owners = new Map<string, Part>();
  const repeated: { path: Path; part: Part; earlier: Part }[] = [];
  const bare: { path: Path; part: Part }[] = [];

  const claim = (path: Path, part: Part): boolean => {
    const name = pointer(path);
    const earlier = owners.get(name);
    if (earlier === undefined) owners.set(name, part);
    else repeated.push({ path, part, earlier });
    return earlier === undefined;
  };
  const members = (section: string, part: Part): { [key: string]: Json } | undefined => {
    const known = joined.get(section);
    if (known !== undefined || owners.has(pointer([section]))) return known;
    const created: { [key: string]: Json } = Object.create(null);
    joined.set(section, created);
    owners.set(pointer([section]), part);
    value[section] = created;
    return created;
  };
  const add = (section: string, content: Json, part: Part): void => {
    const open = keyed.has(section) && isFields(content) ? members(section, part) : undefined;
    if (open === undefined || !isFields(content)) {
      if (claim([section], part)) value[section] = content;
      return;
    }
    for (const [key, member] of Object.entries(content)) if (claim([section, key], part)) open[key] = member;
  };

  for (const part of parts) {
    for (const [section, content] of Object.entries(part.value)) {
      if (content === null && siteIn(part, [section]).written === '') bare.push({ path: [section], part });
      else add(section, content, part);
    }
  }
  return { value, owners, repeated, bare };
}
