import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exportCatalogues } from '../../engine/catalogue.ts';
import type { Target } from '../../engine/desired/configuration.ts';
import { declare } from '../../engine/desired/declare.ts';
import { memoryTree } from '../../engine/desired/tree.ts';
import { type ExportedFile, exportAccount } from '../../engine/export.ts';
import { observe } from '../../engine/fetch.ts';
import { ServiceError } from '../../kinds/kind.ts';
import { kinds } from '../../kinds/kinds.ts';
import { type Account, complainOfFaults, withAccount } from '../account.ts';
import { credentialsOf } from '../credentials.ts';
import { codeOf, EXIT, type Exit, Stop, strongest } from '../exit.ts';
import type { Io } from '../io.ts';
import type { NoiseOptions, ProjectOptions } from '../options.ts';
import { remark, warn } from '../output.ts';
import { schemaLine, wayTo } from '../schema-line.ts';
import { chosenTargets, openSession, type Session } from '../session.ts';

/** Flags of `export`. */
export interface ExportOptions extends ProjectOptions, NoiseOptions {
  readonly dir?: string | undefined;
  /** Whether a catalogue of the assets is written too. */
  readonly assets?: true | undefined;
}

/** `export`: the live account as YAML, on stdout or as files of a folder. */
export async function exportCommand(io: Io, options: ExportOptions): Promise<Exit> {
  const session = openSession(io, options);
  const [target, other] = chosenTargets(session, options.target);
  if (!target || other) throw new Stop(EXIT.invalid, 'one-target', 'export writes one account at a time', 'name one target with --target');
  const { dir } = options;
  const write = dir === undefined ? toStdout(io) : intoFolder(io, dir, session.folder);
  const credentials = await credentialsOf(target, session, io);
  return withAccount(target, credentials, io, options, (account) =>
    exportTarget(session, target, account, io, { write, named: options.assets === true }),
  );
}

async function exportTarget(session: Session, target: Target, account: Account, io: Io, { write, named }: Output): Promise<Exit> {
  const seen = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await observe(kind, account.service, io.now)) })));
  account.status.clear();
  const faults = seen.flatMap((each) => each.fault ?? []);
  if (faults.length > 0) return strongest(complainOfFaults(io, faults));
  const read = (files: readonly ExportedFile[]) => {
    const sources = files.map((file) => file.name);
    return declare(memoryTree(files), session.project, { ...target, sources, vars: {} }, kinds);
  };
  const files = exportAccount(seen, read, io.now());
  try {
    const catalogues = named ? await exportCatalogues(files, kinds, read, account.service, target.service.referenceApi) : [];
    account.status.clear();
    write([...files, ...catalogues]);
    warnOfSecrets(io, [...files, ...catalogues]);
    return EXIT.done;
  } catch (fault) {
    if (!(fault instanceof ServiceError)) throw fault;
    return strongest(complainOfFaults(io, [fault]));
  }
}

/** Where the files go, and whether names for references are among them. */
interface Output {
  readonly write: Writer;
  readonly named: boolean;
}

/** An export is the account as it is: what would be masked in a report is only pointed at. */
function warnOfSecrets(io: Io, files: readonly ExportedFile[]): void {
  const telling = files.filter(({ text }) => io.secrets.hidden(text) !== text).map(({ name }) => name);
  if (telling.length > 0) {
    warn(io, `a text of the account repeats its owner or its API key: ${telling.join(', ')}`, 'look at it before you commit it');
  }
}

type Writer = (files: readonly ExportedFile[]) => void;

function toStdout(io: Io): Writer {
  return (files) => void io.stdout.write(files.map((file) => file.text).join('\n'));
}

/** Writes into a folder that is new or empty, so that nothing is overwritten; it is looked at before the account is. `project` is the folder of upkeep.yaml. @throws Stop */
function intoFolder(io: Io, dir: string, project: string): Writer {
  const folder = resolve(io.cwd, dir);
  attempt(dir, () => {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0) throw new Stop(EXIT.invalid, 'not-empty', `${dir} is not empty`, 'export into a new folder');
  });
  const head = schemaLine('source', wayTo(folder, project));
  return (files) => {
    attempt(dir, () => {
      for (const { name, text } of files) writeFileSync(join(folder, name), `${head}\n${text}`, { flag: 'wx' });
    });
    remark(io, `wrote ${files.map((file) => file.name).join(', ')} to ${dir}`);
  };
}

function attempt(dir: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop(EXIT.error, 'output', `cannot write to ${dir} (${codeOf(error)})`, 'choose another folder for --dir');
  }
}
