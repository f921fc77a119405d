/** accept: the sources as they have to be so that they declare what is live, with everything else in them as it is. Writes nothing. */
import type { Kind } from '../../kinds/kind.ts';
import type { Finding } from '../../model/finding.ts';
import { type Fields, isFields, type Json, type Path } from '../../model/json.ts';
import type { Project, Target } from '../desired/configuration.ts';
import type { Tree } from '../desired/declaration.ts';
import { declare } from '../desired/declare.ts';
import type { ParsedFiles } from '../desired/parse.ts';
import type { Sourced } from '../desired/sourced.ts';
import { sectionsOf } from '../desired/validate.ts';
import { amend } from './amend.ts';
import { type Amendment, type Asked, amendedTree, changedAddresses, objections } from './proof.ts';
import { placed, Unwritable } from './tale.ts';

/** Where the sources lie, and who reads them. */
export interface Desk {
  readonly tree: Tree;
  readonly project: Project;
  readonly target: Target;
  readonly kinds: readonly Kind[];
  readonly parsed: ParsedFiles;
}

/** The amended files, and the other targets that declare something else by them; or why nothing can be amended. */
export type Accepted =
  | { readonly amendments: readonly Amendment[]; readonly others: readonly string[] }
  | { readonly refusals: readonly Finding[] };

/** Amends the sources of a target, all addresses or none, and proves the result by reading it. `now` in Unix milliseconds. */
export function accept(desk: Desk, asked: readonly Asked[], now: number): Accepted {
  const read = (tree: Tree, target: Target) => declare(tree, desk.project, target, desk.kinds, desk.parsed);
  const before = read(desk.tree, desk.target);
  const refusals: Finding[] = [];
  const refuse = ({ desired }: Asked, reason: string, hint: string): void => {
    const { file, line, column } = desired.inFile ?? before.place(desired.path);
    const summary = `${desired.address} cannot be accepted: ${reason}`;
    refusals.push({ severity: 'error', code: 'not-acceptable', summary, hint, file, line, column, address: desired.address });
  };
  let merged: Fields = before.merged;
  for (const each of inRemovableOrder(asked)) {
    const restated = restatedBy(each, merged, before);
    if (typeof restated === 'string') refuse(each, restated, 'edit the sources, or the account, by hand');
    else merged = restated;
  }
  const [first] = asked;
  if (refusals.length > 0 || !first) return { refusals };
  try {
    const amendments = amend(desk.tree, before, merged, asked);
    const tree = amendedTree(desk.tree, amendments);
    const found = objections(asked, before, read(tree, desk.target), now);
    for (const objection of found)
      refuse(first, objection, 'edit the sources by hand; a value that an anchor shares is written out beside it');
    if (found.length > 0) return { refusals };
    const others = desk.project.targets.filter(
      (target) => target.name !== desk.target.name && changedAddresses(read(desk.tree, target), read(tree, target)).length > 0,
    );
    return { amendments, others: others.map(({ name }) => name) };
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    refuse(first, error.message, error.hint);
    return { refusals };
  }
}

/** What the sources are to say once a resource is as it is live; a text says why they cannot. */
function restatedBy({ kind, desired, live }: Asked, merged: Fields, { adopt }: Sourced): Fields | string {
  if (live === null) {
    const kept = adopt.has(desired.address) ? said(merged, ['adopt', desired.address], undefined) : merged;
    return desired.inFile ? kept : said(kept, desired.path, undefined);
  }
  const statements = kind.restate?.(desired, live, sectionsOf(kind, merged) ?? {}) ?? 'its kind cannot be written from what is live';
  if (typeof statements === 'string') return statements;
  return statements.reduce((value, { path, value: told }) => said(value, path, told), merged);
}

function said(merged: Fields, path: Path, value: Json | undefined): Fields {
  const next = placed(merged, path, value);
  return isFields(next) ? next : merged;
}

/** What is gone last, the later items of a list before the earlier ones, whose indices then still hold. */
function inRemovableOrder(asked: readonly Asked[]): readonly Asked[] {
  const index = ({ desired }: Asked) => Number(desired.path.at(-1));
  const gone = asked.filter(({ live }) => live === null);
  return [...asked.filter(({ live }) => live !== null), ...gone.sort((a, b) => (index(b) || 0) - (index(a) || 0))];
}
