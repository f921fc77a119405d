/** upkeep.yaml: read, checked, with its defaults. No finding about it shows a value that may be a credential. */
import type { Finding } from '../../model/finding.ts';
import type { Json, Path } from '../../model/json.ts';
import { checkGuards } from '../guards/check.ts';
import type { Project } from './configuration.ts';
import type { Tree } from './declaration.ts';
import { findingAt, settleFindings, type Words } from './findings.ts';
import type { Part } from './load.ts';
import { type Mistake, mistakeOf } from './mistakes.ts';
import { type Point, parseYaml, type YamlFile } from './parse.ts';
import { type Site, siteIn } from './places.ts';
import { type Reader, readerOf } from './reader.ts';
import { refusalsOf } from './refusals.ts';
import type { Mismatch } from './schema.ts';
import { baseUrl, checkSettings, projectOf, type WrittenProject } from './settings.ts';
import { siteWithin } from './within.ts';

/** Parses and validates upkeep.yaml (design section 3). The project is null exactly when a finding is an error. */
export function loadProject(tree: Tree, file = 'upkeep.yaml'): { readonly project: Project | null; readonly findings: readonly Finding[] } {
  const got = readerOf(tree).read(file);
  if ('fault' in got) {
    return failed([
      findingAt({ file, line: 1, column: 1 }, { code: got.fault.code, summary: `\`${file}\` cannot be read: ${got.fault.reason}` }),
    ]);
  }
  const yaml = parseYaml(got.bytes);
  const findings = yaml.problems.map((problem) => findingAt({ file, line: problem.line, column: problem.column }, problem));
  const content = yaml.documents[0];
  if (content === undefined || yaml.documents.length > 1) {
    const summary = `\`${file}\` must hold exactly one document, with \`version\` and \`targets\``;
    return failed(findings.length > 0 ? findings : [findingAt({ file, line: 1, column: 1 }, { code: 'wrong-type', summary })]);
  }
  const site = (path: Path, point?: Point) => discreet(siteIn({ file, yaml, document: 0 }, path, point), path);
  const checked = checkSettings(unshared(content));
  const mistakes = 'value' in checked ? urlMistakes(checked.value) : settingMistakes(checked.mismatches, yaml);
  findings.push(...mistakes.map((mistake) => findingAt(site(mistake.path, mistake.point), mistake)));
  if ('value' in checked) findings.push(...guardFindings(checked.value, { file, yaml, document: 0 }));
  return 'value' in checked && findings.length === 0 ? { project: projectOf(file, checked.value, site), findings } : failed(findings);
}

/** What is wrong with the guards, each at the character where it begins. */
function guardFindings({ guards }: WrittenProject, part: Pick<Part, 'file' | 'yaml' | 'document'>): readonly Finding[] {
  const wrong = checkGuards(guards, ['guards']).map(({ path, value, offset, summary, hint }) => {
    const site = siteWithin(siteIn(part, path), value, offset, part.yaml.line);
    return findingAt(site, { code: 'guard-expression', summary, hint });
  });
  const ids = guards.map(({ id }) => id);
  const twice = ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [{ id, index }]));
  const named = twice.map(({ id, index }) => {
    const words = { code: 'duplicate-item', summary: `there is a guard \`${id}\` already`, hint: 'Give each guard an id of its own.' };
    return findingAt(siteIn(part, ['guards', index, 'id']), words);
  });
  return [...wrong, ...named];
}

function failed(findings: readonly Finding[]): { readonly project: null; readonly findings: readonly Finding[] } {
  return { project: null, findings: settleFindings(findings) };
}

/** Places in a valid upkeep.yaml, for findings about a target. The file counts as read. */
export function projectPlaces(reader: Reader, file: string): (path: Path, point?: Point) => Site {
  const got = reader.read(file);
  const yaml = parseYaml('bytes' in got ? got.bytes : new Uint8Array());
  return (path, point) => siteIn({ file, yaml, document: 0 }, path, point);
}

/** Values that aliases share are written apart, because each place takes its own defaults. */
function unshared(content: Json): Json {
  const copy: Json = JSON.parse(JSON.stringify(content));
  return copy;
}

/** A place without its line, where the line may hold a credential, wherever it was put by mistake. */
function discreet(site: Site, path: Path): Omit<Site, 'excerpt'> & { readonly excerpt: string | undefined } {
  const telling = path.includes('credentials') || /key|\bowner\b|secret|token|passw|credential|@/i.test(site.excerpt);
  return { ...site, excerpt: telling ? undefined : site.excerpt };
}

function settingMistakes(all: readonly Mismatch[], yaml: YamlFile): readonly Mistake[] {
  const refused = refusalsOf(yaml.refused);
  const mismatches = all.filter(({ path, value }) => typeof value === 'number' || !refused.covers(path));
  const credentials = new Map<string, Mistake>();
  const others: Mistake[] = [];
  for (const mismatch of mismatches) {
    const { path } = mismatch;
    if (path[0] !== 'targets' || path[2] !== 'credentials') others.push(mistakeOf(mismatch, yaml.locate(0, path).written));
    else if (path.length === 3) others.push(credentialsMistake(mismatch));
    else credentials.set(path.slice(0, 4).join('/'), credentialMistake(mismatch));
  }
  return [...others, ...credentials.values()];
}

/** A mistake in `credentials` itself: its keys may be told, but for one that nobody knows. */
function credentialsMistake(mismatch: Mismatch): Mistake {
  const at = { path: mismatch.path, point: 'value' } as const;
  if (mismatch.keyword === 'required') return mistakeOf(mismatch, undefined);
  return { ...at, ...credentialWords('credential-source', '`credentials` must hold `owner` and `api_key`, and nothing else') };
}

/** A mistake in one credential, told without any of its content. */
function credentialMistake({ path, value }: Mismatch): Mistake {
  const at = { path: path.slice(0, 4), point: 'value' } as const;
  const name = String(path[3]);
  const literal = path.length > 4 ? path[4] === 'env' : typeof value !== 'object' || value === null;
  if (!literal) return { ...at, ...credentialWords('credential-source', `\`${name}\` must have exactly one of env, file and command`) };
  return { ...at, ...credentialWords('literal-credential', `\`${name}\` must say where the credential is found, not what it is`) };
}

function credentialWords(code: string, summary: string): Words {
  const hint =
    'Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is known, and should be replaced.';
  return { code, summary, hint };
}

function urlMistakes({ targets }: WrittenProject): readonly Mistake[] {
  return Object.entries(targets).flatMap(([name, target]): Mistake[] => {
    if (baseUrl(target.base_url) !== null) return [];
    const summary = '`base_url` must be an https address without user, query or fragment';
    const hint = 'http:// is accepted for 127.0.0.0/8, [::1] and localhost only, because requests would travel in the open.';
    return [{ code: 'base-url', summary, hint, path: ['targets', name, 'base_url'], point: 'value' }];
  });
}
