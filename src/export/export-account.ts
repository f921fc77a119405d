import type { DesiredState } from '../config/desired-state.ts';
import { escapeVariables } from '../config/variables.ts';
import { writeYaml } from '../config/yaml/yaml.ts';
import type { ConfigEntry, Kind, NotExportable, ReadResult } from '../kinds/kind.ts';
import { compareStrings, type Finding } from '../model/finding.ts';
import { groupBy } from '../model/group-by.ts';
import { type Path, pointer } from '../model/json.ts';
import { visible } from '../model/visible-text.ts';
import { diffResources } from '../plan/diff-resources.ts';
import { matchResources } from '../plan/match.ts';

/** A source file of an exported account. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** One kind and what was seen of it. */
export interface ExportResult {
  readonly kind: Kind;
  readonly result: ReadResult;
}

/** Reads source files as `plan` would. */
export type ConfigReader = (files: readonly ExportedFile[]) => DesiredState;

/**
 * The live account as source files: without defaults, sorted, and proved by reading them back: a declaration that validation refuses,
 * or from which a plan would not be empty, becomes a comment with its reason (design section 5, export). `now` in Unix milliseconds.
 */
export function exportAccount(account: readonly ExportResult[], read: ConfigReader, now: number): readonly ExportedFile[] {
  let columns = account.map(toEntries);
  for (;;) {
    const written = [...columns.map(write), adoptions(columns)];
    const files = written.flatMap((column) => column.files);
    const desiredState = read(files);
    const objections = new Map([...refusals(desiredState.findings, written), ...differences(columns, desiredState, now)]);
    if (objections.size === 0) return files;
    columns = columns.map((column) => dropRefused(column, objections));
  }
}

/** One kind's declarations, and what cannot be declared. */
interface Column extends ExportResult {
  readonly entries: readonly ConfigEntry[];
  readonly left: readonly NotExportable[];
}

function toEntries({ kind, result }: ExportResult): Column {
  const { entries, inexpressible: notExportable } = kind.toConfig(result.objects);
  return { kind, result, entries, left: notExportable };
}

function dropRefused(column: Column, objections: ReadonlyMap<ConfigEntry, string>): Column {
  const left = column.entries.flatMap((entry) => {
    const reason = objections.get(entry);
    return reason === undefined ? [] : entry.objects.map((object) => ({ object, reason }));
  });
  return { ...column, entries: column.entries.filter((entry) => !objections.has(entry)), left: [...column.left, ...left] };
}

/** A column's files, and at which line of which file each entry begins. */
interface Written {
  readonly files: readonly ExportedFile[];
  readonly starts: readonly { readonly file: string; readonly line: number; readonly entry: ConfigEntry }[];
}

function write({ kind, entries, left }: Column): Written {
  const sections = kind.sections.filter((section) => section.manages);
  const parts = sections.map(({ key }) => {
    const own = entries.filter((entry) => entry.section === key);
    const comments = left.filter(({ object }) => object.configSection === key).map((each) => commentOn(kind, each));
    return writeSection(key, own, comments.sort(compareStrings), kind.singleton);
  });
  return { files: parts.flatMap((part) => part.files), starts: parts.flatMap((part) => part.starts) };
}

/** A section without a declaration is empty, and so still managed; that of a singleton can only be left out. */
function writeSection(section: string, entries: readonly ConfigEntry[], comments: readonly string[], singleton: boolean): Written {
  const file = `${section}.yaml`;
  const starts: { file: string; line: number; entry: ConfigEntry }[] = [];
  const lines = [...comments];
  const keyed = entries.filter((entry) => entry.key !== null);
  if (keyed.length > 0) lines.push(`${section}:`);
  else if (entries.length === 0 && !singleton) lines.push(`${section}: {}`);
  for (const entry of entries) {
    starts.push({ file, line: lines.length + 1, entry });
    const text =
      entry.key === null
        ? writeYaml({ [section]: escapeVariables(entry.value) })
        : indented(writeYaml({ [entry.key]: escapeVariables(entry.value) }));
    lines.push(...text.trimEnd().split('\n'));
  }
  return { files: [{ name: file, text: `${lines.join('\n')}\n` }], starts };
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/** What `adopt` has to say for the entries: a file with one line for each, below the line of the section. */
function adoptions(columns: readonly Column[]): Written {
  const file = 'adopt.yaml';
  const adopted = columns.flatMap(({ entries }) =>
    entries.flatMap((entry) => Object.entries(entry.adopt).map(([address, id]) => ({ address, id, entry }))),
  );
  if (adopted.length === 0) return { files: [], starts: [] };
  adopted.sort((a, b) => compareStrings(a.address, b.address));
  const text = writeYaml({ adopt: Object.fromEntries(adopted.map(({ address, id }) => [address, id])) });
  return { files: [{ name: file, text }], starts: adopted.map(({ entry }, index) => ({ file, line: index + 2, entry })) };
}

/** One line whatever the account's text holds, and none that a CI system obeys. */
function commentOn(kind: Kind, { object, reason }: NotExportable): string {
  const label = object.label === '' ? '' : ` ${JSON.stringify(object.label)}`;
  return visible(`# ${kind.unmanagedAddress(object)}${label} is left out: ${reason}`);
}

/** What validation refuses, by the entry in which it stands: the last one that begins before it in its file. */
function refusals(findings: readonly Finding[], written: readonly Written[]): readonly [ConfigEntry, string][] {
  const byFile = groupBy(
    written.flatMap((column) => column.starts),
    ({ file }) => file,
  );
  return findings
    .filter((finding) => finding.severity === 'error')
    .map((finding) => {
      const entry = lastBefore(byFile.get(finding.file) ?? [], finding.line);
      if (!entry) throw new Error(`an exported file is refused outside of every declaration: ${finding.summary}`);
      return [entry, finding.summary];
    });
}

/** The entry whose lines hold this one; the lines ascend. */
function lastBefore(starts: Written['starts'], line: number): ConfigEntry | undefined {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1]?.entry;
}

/** What a plan from the exported files would change. */
function differences(columns: readonly Column[], desiredState: DesiredState, now: number): readonly [ConfigEntry, string][] {
  if (desiredState.findings.some((finding) => finding.severity === 'error')) return [];
  return columns.flatMap(({ kind, result, entries }) => {
    const own = desiredState.resources.filter((resource) => kind.addresses.some((prefix) => resource.address.startsWith(prefix)));
    const drafts = diffResources(kind, own, matchResources(kind, own, result.objects, desiredState.adopt), [], now);
    const byPlace = new Map(entries.map((entry) => [pointer(placeOf(entry)), entry]));
    return drafts.flatMap((draft): [ConfigEntry, string][] => {
      const path = draft.desired?.path ?? [];
      const entry = byPlace.get(pointer(path.slice(0, 2))) ?? byPlace.get(pointer(path.slice(0, 1)));
      if (!entry) throw new Error(`an exported declaration cannot be found again: ${draft.address}`);
      return [[entry, draft.ambiguousReason ?? `it would read back as different in ${draft.fields.map((field) => field.path).join(', ')}`]];
    });
  });
}

/** Where an entry is declared. */
function placeOf({ section, key }: ConfigEntry): Path {
  return key === null ? [section] : [section, key];
}
