import type { DesiredState } from '../config/desired-state.ts';
import { escapeVariables } from '../config/variables.ts';
import { writeYaml } from '../config/yaml/syntax-nodes.ts';
import {
  type ConfigEntry,
  isLiveObject,
  isLiveSetting,
  type Kind,
  type LiveResource,
  type NotExportable,
  type ReadResult,
} from '../kinds/kind.ts';
import { declaresResources, isAddressOf } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings, type Finding } from '../model/finding.ts';
import { type Path, pointer } from '../model/json.ts';
import { visible } from '../model/visible-text.ts';
import { diffResources, diffSetting } from '../plan/diff-resources.ts';
import { matchResources, matchSetting } from '../plan/match.ts';

/** A source file of an exported account. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** One kind and the result of its read. */
export interface ExportResult {
  readonly kind: Kind;
  readonly result: ReadResult;
}

/** Loads source files as `plan` does. */
export type ConfigReader = (files: readonly ExportedFile[]) => DesiredState;

/**
 * Exports the live account as source files, sorted and without defaults. Verifies the files by loading them: an entry that validation
 * refuses, or from which a plan would not be empty, becomes a comment with the reason (design section 5, export). `now` in Unix
 * milliseconds.
 */
export function exportAccount(account: readonly ExportResult[], read: ConfigReader, now: number): readonly ExportedFile[] {
  return verifiedExport(account, read, now).files;
}

/**
 * Returns why no configuration can declare some live resources of a kind, by remote ID, which is empty for a setting: what `exportAccount`
 * leaves out.
 */
export function inexpressibleObjects(exportResult: ExportResult, read: ConfigReader, now: number): ReadonlyMap<string, string> {
  const { exports } = verifiedExport([exportResult], read, now);
  const leftOut = exports.flatMap(({ notExported }) => notExported);
  return new Map(leftOut.flatMap(({ object, reason }): [string, string][] => [[object.id ?? '', reason]]));
}

interface VerifiedExport {
  readonly exports: readonly KindExport[];
  readonly files: readonly ExportedFile[];
}

function verifiedExport(account: readonly ExportResult[], read: ConfigReader, now: number): VerifiedExport {
  let exports = account.map(toEntries);
  for (;;) {
    const entryFiles = [...exports.map(toFiles), adoptFile(exports)];
    const files = entryFiles.flatMap((kindExport) => kindExport.files);
    const desiredState = read(files);
    const refused = new Map([...refusals(desiredState.findings, entryFiles), ...differences(exports, desiredState, now)]);
    if (refused.size === 0) return { exports, files };
    exports = exports.map((kindExport) => dropRefused(kindExport, refused));
  }
}

/** The config entries of one kind, and the objects that cannot be exported. */
interface KindExport extends ExportResult {
  readonly entries: readonly ConfigEntry[];
  readonly notExported: readonly NotExportable[];
}

function toEntries({ kind, result }: ExportResult): KindExport {
  const { entries, notExportable } = kind.toConfig(result.objects);
  return { kind, result, entries, notExported: notExportable };
}

function dropRefused(kindExport: KindExport, refused: ReadonlyMap<ConfigEntry, string>): KindExport {
  const dropped = kindExport.entries.flatMap((entry) => {
    const reason = refused.get(entry);
    return reason === undefined ? [] : entry.objects.map((object) => ({ object, reason }));
  });
  return {
    ...kindExport,
    entries: kindExport.entries.filter((entry) => !refused.has(entry)),
    notExported: [...kindExport.notExported, ...dropped],
  };
}

/** The files of one kind, and the file and line at which each entry begins. */
interface EntryFiles {
  readonly files: readonly ExportedFile[];
  readonly starts: readonly { readonly file: string; readonly line: number; readonly entry: ConfigEntry }[];
}

function toFiles({ kind, entries, notExported }: KindExport): EntryFiles {
  const sections = kind.sections.filter(declaresResources);
  const parts = sections.map(({ key }) => {
    const own = entries.filter((entry) => entry.section === key);
    const comments = notExported.filter(({ object }) => sectionOf(kind, object) === key).map((each) => commentOn(kind, each));
    return writeSection(key, own, comments.sort(compareStrings), kind.type);
  });
  return { files: parts.flatMap((part) => part.files), starts: parts.flatMap((part) => part.starts) };
}

/** Returns the section that would declare a live resource. */
function sectionOf({ sections }: Kind, live: LiveResource): string | undefined {
  return isLiveObject(live) ? live.configSection : sections[0]?.key;
}

/** Writes one section. A collection without entries is written empty, and so still managed; a setting is then left out. */
function writeSection(section: string, entries: readonly ConfigEntry[], comments: readonly string[], type: Kind['type']): EntryFiles {
  const file = `${section}.yaml`;
  const starts: { file: string; line: number; entry: ConfigEntry }[] = [];
  const lines = [...comments];
  const keyed = entries.filter((entry) => entry.key !== null);
  if (keyed.length > 0) lines.push(`${section}:`);
  else if (entries.length === 0 && type === 'collection') lines.push(`${section}: {}`);
  for (const entry of entries) {
    starts.push({ file, line: lines.length + 1, entry });
    const text =
      entry.key === null
        ? writeYaml({ [section]: escapeVariables(entry.value) })
        : indent(writeYaml({ [entry.key]: escapeVariables(entry.value) }));
    lines.push(...text.trimEnd().split('\n'));
  }
  return { files: [{ name: file, text: `${lines.join('\n')}\n` }], starts };
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/** Writes the file with the `adopt` section: one line for each address, below the line of the section. */
function adoptFile(exports: readonly KindExport[]): EntryFiles {
  const file = 'adopt.yaml';
  const adopted = exports.flatMap(({ entries }) =>
    entries.flatMap((entry) => Object.entries(entry.adopt).map(([address, id]) => ({ address, id, entry }))),
  );
  if (adopted.length === 0) return { files: [], starts: [] };
  adopted.sort((a, b) => compareStrings(a.address, b.address));
  const text = writeYaml({ adopt: Object.fromEntries(adopted.map(({ address, id }) => [address, id])) });
  return { files: [{ name: file, text }], starts: adopted.map(({ entry }, index) => ({ file, line: index + 2, entry })) };
}

/** Writes a comment of one line, whatever text the account holds, without workflow commands of a CI system. */
function commentOn(kind: Kind, { object, reason }: NotExportable): string {
  const name = isLiveObject(object) && object.remoteName !== '' ? ` ${JSON.stringify(object.remoteName)}` : '';
  return visible(`# ${kind.idAddress(object)}${name} is left out: ${reason}`);
}

/** Returns the errors of validation, by the entry in which they are: the last one that begins before them in their file. */
function refusals(findings: readonly Finding[], entryFiles: readonly EntryFiles[]): readonly [ConfigEntry, string][] {
  const byFile = groupBy(
    entryFiles.flatMap((kindExport) => kindExport.starts),
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

/** Returns the entry that contains a line, by binary search; the lines ascend. */
function lastBefore(starts: EntryFiles['starts'], line: number): ConfigEntry | undefined {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1]?.entry;
}

/** Returns what a plan from the exported files would change, by entry. */
function differences(exports: readonly KindExport[], desiredState: DesiredState, now: number): readonly [ConfigEntry, string][] {
  if (desiredState.findings.some((finding) => finding.severity === 'error')) return [];
  return exports.flatMap(({ kind, result, entries }) => {
    const own = desiredState.resources.filter(({ address }) => isAddressOf(kind, address));
    const drafts =
      kind.type === 'collection'
        ? diffResources(kind, own, matchResources(kind, own, result.objects.filter(isLiveObject), desiredState.adopt), [], now)
        : diffSetting(kind, own, matchSetting(own, result.objects.filter(isLiveSetting)), now);
    const byPath = new Map(entries.map((entry) => [pointer(pathOf(entry)), entry]));
    return drafts.flatMap((draft): [ConfigEntry, string][] => {
      const path = draft.desired?.path ?? [];
      const entry = byPath.get(pointer(path.slice(0, 2))) ?? byPath.get(pointer(path.slice(0, 1)));
      if (!entry) throw new Error(`an exported declaration cannot be found again: ${draft.address}`);
      const identityProblem = draft.action === 'create' ? draft.identityProblem : null;
      return [[entry, identityProblem ?? `it would read back as different in ${draft.fields.map((field) => field.path).join(', ')}`]];
    });
  });
}

/** Returns the path at which an entry is declared. */
function pathOf({ section, key }: ConfigEntry): Path {
  return key === null ? [section] : [section, key];
}
