/** Divides an exported account among source files, and writes them. */
import { escapeVariables } from '../config/variables.ts';
import { writeYaml } from '../config/yaml/syntax-nodes.ts';
import { type ConfigEntry, isLiveObject, type Kind, type LiveResource, type NotDeclarableObject, type ReadResult } from '../kinds/kind.ts';
import type { Grouping, NotExported } from '../model/account-export.ts';
import { declaresResources, type Section } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings } from '../model/finding.ts';
import { visible } from '../model/visible-text.ts';
import { proposeTables, tableFiles } from './tables.ts';

/** A source file of an exported account, or a table that one names. The name may hold folders, with `/`. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** How an account is divided among files. Without options there is one file for each section. */
export interface FileLayout {
  readonly groupBy?: Grouping | undefined;
  /** Whether playlists that follow a pattern become a template and a table. */
  readonly templates?: boolean | undefined;
  /** Names that no column of a table may have: the variables of the target. */
  readonly variables?: Iterable<string> | undefined;
  /** Hides secrets in the comments on what is left out; what is declared is written as it is. */
  readonly hide?: ((text: string) => string) | undefined;
}

/** Number of playlists that share the beginning of their keys from which on they have a file of their own. */
export const MIN_PLAYLISTS_WITH_PREFIX = 2;

/** Decides whether a layout is that of one file for each section. */
export function isPlain({ groupBy: grouping, templates = false }: FileLayout): boolean {
  return grouping === undefined && !templates;
}

/** The config entries of one kind, and the objects that cannot be exported. */
export interface KindExport {
  readonly kind: Kind;
  readonly result: ReadResult;
  readonly entries: readonly ConfigEntry[];
  readonly notDeclarable: readonly NotDeclarableObject[];
}

/** A file, and the line at which each entry in it begins, ascending. */
export interface EntryFile {
  readonly file: ExportedFile;
  readonly starts: readonly { readonly line: number; readonly entry: ConfigEntry }[];
}

/** Returns the files of an account: one for each section, and one that binds addresses to remote IDs. */
export function toEntryFiles(exports: readonly KindExport[]): readonly EntryFile[] {
  return withAdoptFile(exports, ({ key }) => key);
}

function asItIs(text: string): string {
  return text;
}

/** Returns the files of an account in a layout. */
export function filesOf(
  exports: readonly KindExport[],
  { groupBy: grouping, templates = false, variables = [], hide = asItIs }: FileLayout,
): readonly ExportedFile[] {
  const playlists = exports.flatMap(({ kind, entries }) =>
    entries.filter(({ section }) => kind.sections.some(({ key, entriesField }) => key === section && entriesField !== undefined)),
  );
  const tables = templates ? proposeTables(playlists, variables) : [];
  const inTables = new Set(tables.flatMap(({ entries }) => entries));
  const folderFiles =
    grouping === undefined
      ? new Map<ConfigEntry, string>()
      : groupEntries(
          playlists.filter((entry) => !inTables.has(entry)),
          grouping,
        );
  const entryFiles = withAdoptFile(
    exports,
    (section, entry) => (inTables.has(entry) ? null : (folderFiles.get(entry) ?? section.key)),
    hide,
  );
  return [...entryFiles.map(({ file }) => file), ...tableFiles(tables)];
}

/** Returns the names of the files in the folder of a section, without extension, for the entries that do not stay in its own file. */
function groupEntries(entries: readonly ConfigEntry[], grouping: Grouping): ReadonlyMap<ConfigEntry, string> {
  // Some file systems do not distinguish case.
  const nameOf = ({ key }: ConfigEntry) => (grouping === 'file' ? key : /^[^._-]*/.exec(key ?? '')?.[0])?.toLowerCase();
  const least = grouping === 'file' ? 1 : MIN_PLAYLISTS_WITH_PREFIX;
  const groups = [...groupBy(entries, nameOf)].filter(([, members]) => members.length >= least);
  return new Map(groups.flatMap(([name, members]) => members.map((entry) => [entry, `${entry.section}/${name}`])));
}

/** Decides in which file an entry is written, without extension; null where a table holds it. */
type FileOfEntry = (section: Section, entry: ConfigEntry) => string | null;

function withAdoptFile(exports: readonly KindExport[], fileOf: FileOfEntry, hide = asItIs): readonly EntryFile[] {
  const sections = exports.flatMap((kindExport) =>
    kindExport.kind.sections.flatMap((section) => writeSection(kindExport, section, fileOf, hide)),
  );
  return [...sections, ...adoptFile(exports)];
}

/**
 * Writes the files of one section. Its own file holds the comments on what is left out. A collection without entries is written empty, and
 * so still managed; a setting is then left out.
 */
function writeSection(
  { kind, entries, notDeclarable }: KindExport,
  section: Section,
  fileOf: FileOfEntry,
  hide: (text: string) => string,
): readonly EntryFile[] {
  const own = entries.filter((entry) => entry.section === section.key);
  if (!declaresResources(section) && own.length === 0) return [];
  const comments = notDeclarable
    .filter(({ object }) => sectionOf(kind, object) === section.key)
    .map((each) => hide(commentOn(leftOut(kind, each))));
  const byFile = groupBy(own, (entry) => fileOf(section, entry));
  const rest = byFile.get(section.key) ?? [];
  const names = [...byFile.keys()].filter((name) => name !== null && name !== section.key);
  const isEmpty = own.length === 0 && kind.type === 'collection';
  const lines = [...comments.sort(compareStrings), ...(isEmpty ? [`${section.key}: {}`] : [])];
  return [
    ...(rest.length > 0 || lines.length > 0 || own.length === 0 ? [writeEntries(section.key, section.key, lines, rest)] : []),
    ...names.map((name) => writeEntries(String(name), section.key, [], byFile.get(name) ?? [])),
  ];
}

function writeEntries(name: string, section: string, before: readonly string[], entries: readonly ConfigEntry[]): EntryFile {
  const lines = [...before];
  if (entries.some((entry) => entry.key !== null)) lines.push(`${section}:`);
  const starts = entries.map((entry) => {
    const line = lines.length + 1;
    const value = escapeVariables(entry.value);
    const text = entry.key === null ? writeYaml({ [section]: value }) : indent(writeYaml({ [entry.key]: value }));
    lines.push(...text.trimEnd().split('\n'));
    return { line, entry };
  });
  return { file: { name: `${name}.yaml`, text: `${lines.join('\n')}\n` }, starts };
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/** Returns the section that would declare a live resource. */
function sectionOf({ sections }: Kind, live: LiveResource): string | undefined {
  return isLiveObject(live) ? live.configSection : sections[0]?.key;
}

/** Writes the file with the `adopt` section, if there is one: one line for each address, below the line of the section. */
function adoptFile(exports: readonly KindExport[]): readonly EntryFile[] {
  const adopted = exports.flatMap(({ entries }) =>
    entries.flatMap((entry) => Object.entries(entry.adopt).map(([address, id]) => ({ address, id, entry }))),
  );
  if (adopted.length === 0) return [];
  adopted.sort((a, b) => compareStrings(a.address, b.address));
  const text = writeYaml({ adopt: Object.fromEntries(adopted.map(({ address, id }) => [address, id])) });
  return [{ file: { name: 'adopt.yaml', text }, starts: adopted.map(({ entry }, index) => ({ line: index + 2, entry })) }];
}

/** Returns what an export leaves out of a kind, with the reasons. */
export function leftOutOf({ kind, notDeclarable }: KindExport): readonly NotExported[] {
  return notDeclarable.map((each) => leftOut(kind, each)).sort((a, b) => compareStrings(a.address, b.address));
}

function leftOut(kind: Kind, { object, ...why }: NotDeclarableObject): NotExported {
  return { address: kind.idAddress(object), name: isLiveObject(object) ? object.remoteName : '', ...why };
}

/** Writes a comment of one line, whatever text the account holds, without workflow commands of a CI system. */
function commentOn({ address, name, reason, hint }: NotExported): string {
  const advice = hint === undefined ? '' : `${reason.endsWith('.') ? '' : '.'} ${hint}`;
  return visible(`# ${address}${name === '' ? '' : ` ${JSON.stringify(name)}`} is left out: ${reason}${advice}`);
}
