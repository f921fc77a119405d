/** Loads configurations for the tests of defaults, templates, tables and entry lists. */

import type { DesiredStateWithSources } from '../../../../src/core/config/desired-state.ts';
import { loadDesiredState } from '../../../../src/core/config/load-desired-state.ts';
import { loadProject } from '../../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../../src/core/config/project-folder.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import type { ProjectFiles } from '../../../../src/core/model/project-files.ts';
import { sourceModel } from '../../../support/source-model.ts';

/** Settings of the target. By default, its one source is the folder `config`. */
export interface Settings {
  readonly sources?: readonly Json[];
  readonly vars?: { readonly [name: string]: string | number | boolean };
  readonly rules?: { readonly [code: string]: string };
}

/** A loaded configuration, in the form in which tests compare it. */
export interface Loaded extends DesiredStateWithSources {
  /** `file:line:column code summary`, sorted. */
  readonly found: readonly string[];
  /** The fields of every resource by address. */
  readonly fields: { readonly [address: string]: JsonObject };
}

/** Loads files by name. */
export function load(texts: { readonly [file: string]: string }, { sources = ['config'], vars = {}, rules = {} }: Settings = {}): Loaded {
  const credentials = { owner: { env: 'OWNER' }, api_key: { env: 'KEY' } };
  const target = { base_url: 'https://services.example.com', credentials, sources, vars };
  const project = JSON.stringify({ version: 1, rules, targets: { main: target } });
  const files = filesWith({ 'upkeep.yaml': project, ...texts });
  const loaded = loadProject(files, '2027-01-01');
  const [main] = loaded.project?.targets ?? [];
  if (!loaded.project || !main) throw new Error(`not a valid project: ${JSON.stringify(loaded.findings)}`);
  const state = loadDesiredState(files, loaded.project, main, sourceModel);
  return {
    ...state,
    found: state.findings.map(({ file, line, column, code, summary }) => `${file}:${line}:${column} ${code} ${summary}`),
    fields: Object.fromEntries(state.resources.map(({ address, fields }) => [address, fields])),
  };
}

/** Returns files in folders. */
function filesWith(texts: { readonly [file: string]: string }): ProjectFiles {
  const names = Object.keys(texts);
  const within = (folder: string) => names.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1));
  return {
    ...memoryFiles(Object.entries(texts).map(([name, text]) => ({ name, text }))),
    typeOf: (path) => (path.startsWith('..') ? 'outside' : names.includes(path) ? 'file' : within(path).length > 0 ? 'folder' : 'missing'),
    list: (folder) => [...new Set(within(folder).map((name) => name.replace(/\/.*/, '')))],
  };
}
