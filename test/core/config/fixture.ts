/** Projects in folders, and small kinds for the tests of the loader: shelves and loans (collections) and the lamp (a setting). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DesiredState } from '../../../src/core/config/desired-state.ts';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import { loadProject } from '../../../src/core/config/load-project.ts';
import type { Project, Target } from '../../../src/core/config/project.ts';
import { diskFiles } from '../../../src/core/config/project-folder.ts';
import { createSourceModel } from '../../../src/core/config/source-model.ts';
import type {
  CollectionKind,
  DeclareServices,
  DesiredResource,
  Kind,
  SettingKind,
  UnlocatedFinding,
} from '../../../src/core/kinds/kind.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import { cleanUpAfterFile } from '../../support/cleanup.ts';

/** Creates a folder with these files, which is removed after the tests of the file. */
export function folderWith(files: { readonly [name: string]: string | Uint8Array }): string {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-'));
  cleanUpAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Returns the text of an upkeep.yaml with one target; `more` are further lines of the target. */
export function projectText(sources: readonly string[], more: readonly string[] = [], rules = '{}'): string {
  return [
    'version: 1',
    `rules: ${rules}`,
    'targets:',
    '  main:',
    '    base_url: https://services.example.com',
    '    credentials: { owner: { env: OWNER }, api_key: { env: KEY } }',
    `    sources: ${JSON.stringify(sources)}`,
    ...more.map((line) => `    ${line}`),
  ].join('\n');
}

/** Reads the project and the first target of a folder whose upkeep.yaml is valid. */
export function openProject(folder: string): { readonly project: Project; readonly target: Target } {
  const { project, findings } = loadProject(diskFiles(folder), '2027-01-01');
  const target = project?.targets[0];
  if (!project || !target) throw new Error(`not a valid project: ${JSON.stringify(findings)}`);
  return { project, target };
}

/** Loads the desired state of one target from these files, in a new project. */
export function loadConfig(
  files: { readonly [name: string]: string | Uint8Array },
  options: { sources?: readonly string[]; more?: readonly string[]; rules?: string; kinds?: readonly Kind[] } = {},
): DesiredState {
  const names = options.sources ?? Object.keys(files).filter((name) => /\.ya?ml$/.test(name));
  const folder = folderWith({ 'upkeep.yaml': projectText(names, options.more, options.rules), ...files });
  const { project, target } = openProject(folder);
  return loadDesiredState(diskFiles(folder), project, target, options.kinds ? createSourceModel(options.kinds) : fakeModel);
}

/** Returns findings as short lines: `file:line:column severity code`. */
export function findingLines({ findings }: { readonly findings: DesiredState['findings'] }): string[] {
  return findings.map(({ file, line, column, severity, code }) => `${file}:${line}:${column} ${severity} ${code}`);
}

const notUsed = (): never => {
  throw new Error('not used while the configuration is loaded');
};

/** Creates a kind with the members that loading the configuration uses; the others throw. */
function fakeKind(own: Pick<CollectionKind, 'name' | 'sections' | 'schema' | 'declare'> & Partial<CollectionKind>): CollectionKind {
  return {
    type: 'collection',
    applyOrder: 1,
    remoteNameField: 'label',
    contentFields: [],
    hasUniqueRemoteNames: false,
    findingCodes: {},
    hasPartialUpdates: false,
    spotChecksPerPlan: 0,
    idAddress: notUsed,
    defaults: () => ({}),
    assessRisk: notUsed,
    phase: notUsed,
    requests: notUsed,
    parseWriteResponse: notUsed,
    read: notUsed,
    get: notUsed,
    find: notUsed,
    toConfig: notUsed,
    ...own,
  };
}

function desired(address: string, path: readonly string[], value: Json, mayMatchByBinding = true): DesiredResource {
  const fields: JsonObject = isJsonObject(value) ? value : { value };
  return {
    address,
    displayName: address,
    fields,
    declaredFields: fields,
    matchKeys: !mayMatchByBinding || address.endsWith('/nameless') ? [] : [{ remoteName: address }],
    mayMatchByBinding,
    path,
  };
}

/** A collection with a keyed section, a second section under other addresses, a section of names (`titles`) and text files. */
export const shelf = fakeKind({
  name: 'shelf',
  sections: [
    { key: 'shelves', addressPrefix: 'shelf/' },
    { key: 'loans', addressPrefix: 'loan/' },
    { key: 'titles', addressPrefix: null },
  ],
  findingCodes: {
    broken: { meaning: 'a broken shelf', isFixed: true },
    'odd-shelf': { meaning: 'an odd shelf' },
    'mixed-sizes': { meaning: 'shelves of several sizes' },
  },
  schema: {
    properties: {
      shelves: { type: 'object', propertyNames: { pattern: '^[a-z0-9.-]+$' }, additionalProperties: { $ref: '#/definitions/shelf' } },
      loans: { type: 'object', additionalProperties: { type: 'string' } },
      titles: { type: 'object', additionalProperties: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
    },
    definitions: {
      shelf: {
        type: 'object',
        additionalProperties: false,
        required: ['width'],
        properties: {
          width: { description: 'In centimetres.', type: 'integer', minimum: 1, maximum: 200 },
          label: { type: 'string' },
          wood: { enum: ['oak', 'pine'] },
          locked: { enum: [0, 1, false, true] },
          books: {
            type: 'array',
            maxItems: 5,
            items: { type: ['string', 'object'], properties: { id: { type: 'string' } }, additionalProperties: false },
          },
          books_file: { type: 'string' },
        },
      },
    },
  },
  declare: (sections, services) => {
    const resources: DesiredResource[] = [];
    const findings: UnlocatedFinding[] = [];
    const shelves = isJsonObject(sections.shelves) ? sections.shelves : {};
    for (const [key, value] of Object.entries(shelves)) {
      resources.push(desired(`shelf/${key}`, ['shelves', key], value));
      findings.push(...shelfFindings(key, isJsonObject(value) ? value : {}, services));
    }
    for (const key of Object.keys(isJsonObject(sections.loans) ? sections.loans : {})) {
      resources.push(desired(`loan/${key}`, ['loans', key], key, false));
    }
    return { resources, findings };
  },
});

function shelfFindings(key: string, fields: JsonObject, services: DeclareServices): readonly UnlocatedFinding[] {
  const findings: UnlocatedFinding[] = [];
  if (fields.label === 'odd') findings.push({ severity: 'warning', code: 'odd-shelf', summary: 'odd', path: ['shelves', key, 'label'] });
  if (fields.label === 'mixed')
    findings.push({ severity: 'error', code: 'mixed-sizes', summary: 'mixed', path: ['shelves', key, 'label'] });
  if (fields.label === 'broken') findings.push({ severity: 'error', code: 'broken', summary: 'broken', path: ['shelves', key, 'label'] });
  if (typeof fields.books_file !== 'string') return findings;
  const path = ['shelves', key, 'books_file'];
  const file = services.readText(path, fields.books_file);
  if ('error' in file) return [...findings, file.error];
  const bad = file.text.split('\n').indexOf('bad');
  if (bad >= 0)
    findings.push({
      severity: 'error',
      code: 'bad-line',
      summary: 'bad',
      path,
      textFilePosition: { file: file.file, line: bad + 1, column: 1 },
    });
  return findings;
}

/** A setting. */
export const lamp: SettingKind = {
  ...fakeKind({
    name: 'lamp',
    sections: [{ key: 'lamp', addressPrefix: 'lamp' }],
    schema: {
      properties: {
        lamp: {
          type: 'object',
          additionalProperties: false,
          properties: { watts: { type: 'integer' }, colour: { type: 'string' }, shades: { type: 'array' } },
        },
      },
    },
    declare: (sections) => ({ resources: [desired('lamp', ['lamp'], sections.lamp ?? null, false)], findings: [] }),
  }),
  type: 'setting',
  read: notUsed,
};

export const fakeKinds: readonly Kind[] = [shelf, lamp];

/** Their source model. */
export const fakeModel = createSourceModel(fakeKinds);
