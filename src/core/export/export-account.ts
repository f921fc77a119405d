import type { DesiredState } from '../config/desired-state.ts';
import { canSetSeverity } from '../config/severity-rules.ts';
import { type ConfigEntry, isLiveObject, isLiveSetting, type Kind, type NotDeclarableObject, type ReadResult } from '../kinds/kind.ts';
import type { NotExported } from '../model/account-export.ts';
import { isAddressOf } from '../model/address.ts';
import type { Finding } from '../model/finding.ts';
import { equal, type JsonObject, type Path, pointer } from '../model/json.ts';
import { diffResources, diffSetting } from '../plan/diff-resources.ts';
import { matchResources, matchSetting } from '../plan/match.ts';
import { addressByRemoteId } from '../state/bindings.ts';
import type { LedgerState } from '../state/state.ts';
import {
  type EntryFile,
  type ExportedFile,
  type FileLayout,
  filesOf,
  isPlain,
  type KindExport,
  leftOutOf,
  toEntryFiles,
} from './source-files.ts';

/** One kind and the result of its read. */
export interface ExportResult {
  readonly kind: Kind;
  readonly result: ReadResult;
}

/** Loads source files as `plan` does. */
export type ConfigReader = (files: readonly ExportedFile[]) => DesiredState;

/** What may differ between exports of one account. */
export interface ExportOptions extends FileLayout {
  /** Names for what the resources refer to, by ID. The reader must know them. */
  readonly catalogNames?: ReadonlyMap<string, string> | undefined;
  /**
   * What the ledger says. In a section that was managed completely, an object that it does not bind is somebody else's, until `adopt` names
   * it: the files do that.
   */
  readonly ledgerState?: LedgerState | null | undefined;
}

/** The source files of an account, and what they do not say. */
export interface AccountExport {
  readonly files: readonly ExportedFile[];
  /** Number of live resources that the files declare, by kind. */
  readonly written: { readonly [kind: string]: number };
  readonly leftOut: readonly NotExported[];
  /** What validation warns about, because the account holds it. */
  readonly warnings: readonly Finding[];
}

/**
 * Exports the live account as source files, sorted and without defaults. Verifies the files by loading them: an entry that validation
 * refuses, or from which a plan would not be empty, becomes a comment with the reason (design section 5, export). `now` in Unix
 * milliseconds.
 */
export function exportAccount(
  account: readonly ExportResult[],
  read: ConfigReader,
  now: number,
  { catalogNames, ledgerState = null, ...layout }: ExportOptions = {},
): AccountExport {
  const recognized = verifiedExport(account, read, now, catalogNames);
  const adopting = ledgerState === null ? null : withAdoptions(recognized, ledgerState);
  const { exports, desiredState: plain } = adopting === null ? recognized : verified(adopting, read, now);
  const files = filesOf(exports, layout);
  const desiredState = isPlain(layout) ? plain : readAgain(files, read, plain);
  return {
    files,
    written: Object.fromEntries(exports.map(({ kind, entries }) => [kind.name, entries.flatMap(({ objects }) => objects).length])),
    leftOut: exports.flatMap(leftOutOf),
    warnings: desiredState.findings,
  };
}

/**
 * Returns why no configuration can declare some live resources of a kind, by remote ID, which is empty for a setting: what `exportAccount`
 * leaves out.
 */
export function notDeclarableObjects(exportResult: ExportResult, read: ConfigReader, now: number): ReadonlyMap<string, string> {
  const { exports } = verifiedExport([exportResult], read, now);
  const leftOut = exports.flatMap(({ notDeclarable }) => notDeclarable);
  return new Map(leftOut.flatMap(({ object, reason }): [string, string][] => [[object.id ?? '', reason]]));
}

interface VerifiedExport {
  readonly exports: readonly KindExport[];
  readonly desiredState: DesiredState;
}

/** Leaves out entries until the rest can be loaded without errors, and a plan from it is empty. */
function verifiedExport(
  account: readonly ExportResult[],
  read: ConfigReader,
  now: number,
  catalogNames?: ReadonlyMap<string, string>,
): VerifiedExport {
  return verified(
    account.map((each) => toEntries(each, catalogNames)),
    read,
    now,
  );
}

function verified(account: readonly KindExport[], read: ConfigReader, now: number): VerifiedExport {
  let exports = account;
  for (;;) {
    const entryFiles = toEntryFiles(exports);
    const desiredState = read(entryFiles.map(({ file }) => file));
    const kinds = exports.map(({ kind }) => kind);
    const refused = new Map([...refusals(desiredState.findings, entryFiles, kinds), ...differences(exports, desiredState, now)]);
    if (refused.size === 0) return { exports, desiredState };
    exports = exports.map((kindExport) => dropRefused(kindExport, refused));
  }
}

/** Adds `adopt` for each object of a managed section that the ledger does not bind. */
function withAdoptions({ exports, desiredState }: VerifiedExport, ledgerState: LedgerState): readonly KindExport[] {
  return exports.map((kindExport) => {
    const { kind, result, entries } = kindExport;
    if (kind.type === 'setting') return kindExport;
    const bound = addressByRemoteId(kind, ledgerState);
    const own = desiredState.resources.filter(({ address }) => isAddressOf(kind, address));
    const { liveByAddress } = matchResources(kind, own, result.objects.filter(isLiveObject), desiredState.adopt);
    const addressById = new Map([...liveByAddress].map(([address, { id }]) => [id, address]));
    const adoptedBy = ({ section, objects }: ConfigEntry) =>
      objects.flatMap(({ id }): [string, string][] => {
        const address = id === null ? undefined : addressById.get(id);
        return id === null || address === undefined || bound.has(id) || !ledgerState.managedSections.has(section) ? [] : [[address, id]];
      });
    return {
      ...kindExport,
      entries: entries.map((entry) => ({ ...entry, adopt: { ...Object.fromEntries(adoptedBy(entry)), ...entry.adopt } })),
    };
  });
}

/** Loads the files of another layout, which must declare the same. @throws Error where they do not */
function readAgain(files: readonly ExportedFile[], read: ConfigReader, plain: DesiredState): DesiredState {
  const desiredState = read(files);
  const [error] = desiredState.findings.filter(({ severity }) => severity === 'error');
  if (error || !equal(declaredBy(desiredState), declaredBy(plain)))
    throw new Error(`the exported files declare something else in this layout${error ? `: ${error.file}: ${error.summary}` : ''}`);
  return desiredState;
}

function declaredBy({ resources }: DesiredState): JsonObject {
  return Object.fromEntries(resources.map(({ address, fields }) => [address, fields]));
}

function toEntries({ kind, result }: ExportResult, catalogNames?: ReadonlyMap<string, string>): KindExport {
  const { entries, notDeclarable } = kind.toConfig(result.objects, catalogNames);
  return { kind, result, entries, notDeclarable };
}

/** Why an entry is left out. */
type Refusal = Omit<NotDeclarableObject, 'object'>;

function dropRefused(kindExport: KindExport, refused: ReadonlyMap<ConfigEntry, Refusal>): KindExport {
  const dropped = kindExport.entries.flatMap((entry) => {
    const why = refused.get(entry);
    return why === undefined ? [] : entry.objects.map((object) => ({ object, ...why }));
  });
  return {
    ...kindExport,
    entries: kindExport.entries.filter((entry) => !refused.has(entry)),
    notDeclarable: [...kindExport.notDeclarable, ...dropped],
  };
}

/** Returns the errors of validation, by the entry in which they are: the last one that begins before them in their file. */
function refusals(
  findings: readonly Finding[],
  entryFiles: readonly EntryFile[],
  kinds: readonly Kind[],
): readonly [ConfigEntry, Refusal][] {
  const startsByFile = new Map(entryFiles.map(({ file, starts }) => [file.name, starts]));
  return findings
    .filter((finding) => finding.severity === 'error')
    .map((finding) => {
      const entry = lastBefore(startsByFile.get(finding.file) ?? [], finding.line);
      if (!entry) throw new Error(`an exported file is refused outside of every declaration: ${finding.summary}`);
      return [entry, { reason: finding.summary, ...hintAtRule(finding, kinds) }];
    });
}

/** Returns the hint at the rule that lowers an error, where its severity can be set. */
function hintAtRule({ severity, code }: Finding, kinds: readonly Kind[]): Pick<Refusal, 'hint'> {
  if (!kinds.some((kind) => canSetSeverity({ severity, code }, kind))) return {};
  return { hint: `To manage it as it is, write \`rules: { ${code}: warning }\` in upkeep.yaml, and export again.` };
}

/** Returns the entry that contains a line, by binary search; the lines ascend. */
function lastBefore(starts: EntryFile['starts'], line: number): ConfigEntry | undefined {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1]?.entry;
}

/** Returns what a plan from the exported files would change, by entry. */
function differences(exports: readonly KindExport[], desiredState: DesiredState, now: number): readonly [ConfigEntry, Refusal][] {
  if (desiredState.findings.some((finding) => finding.severity === 'error')) return [];
  return exports.flatMap(({ kind, result, entries }) => {
    const own = desiredState.resources.filter(({ address }) => isAddressOf(kind, address));
    const planned =
      kind.type === 'collection'
        ? diffResources(kind, own, matchResources(kind, own, result.objects.filter(isLiveObject), desiredState.adopt), [], now)
        : diffSetting(kind, own, matchSetting(own, result.objects.filter(isLiveSetting)), now);
    const byPath = new Map(entries.map((entry) => [pointer(pathOf(entry)), entry]));
    return planned.flatMap(({ change, desired, identityProblem }): [ConfigEntry, Refusal][] => {
      const path = desired?.path ?? [];
      const entry = byPath.get(pointer(path.slice(0, 2))) ?? byPath.get(pointer(path.slice(0, 1)));
      if (!entry) throw new Error(`an exported declaration cannot be found again: ${change.address}`);
      const fields = change.fields.map((field) => field.path).join(', ');
      return [[entry, { reason: identityProblem?.reason ?? `it would read back as different in ${fields}` }]];
    });
  });
}

function pathOf({ section, key }: ConfigEntry): Path {
  return key === null ? [section] : [section, key];
}
