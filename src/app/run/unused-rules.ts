/** Finds the entries of `rules` that accept or lower what a command looked for and did not find. */
import type { DesiredState } from '../../core/config/desired-state.ts';
import { findingAt } from '../../core/config/findings.ts';
import { positionsIn } from '../../core/config/load-project.ts';
import type { Project, SeverityRule } from '../../core/config/project.ts';
import { rulesWithoutFinding } from '../../core/config/severity-rules.ts';
import type { Finding } from '../../core/model/finding.ts';
import type { FindingCode } from '../../core/model/finding-codes.ts';
import { matchesGlob } from '../../core/model/glob.ts';
import type { ProjectFiles } from '../../core/model/project-files.ts';
import { sourceModel } from './source-model.ts';

/**
 * Returns a warning for each entry whose code needs one of these to be found, and is not among the findings. With several targets, an entry
 * counts for those that declare a resource at its place.
 */
export function unusedRules(
  { files, project }: { readonly files: ProjectFiles; readonly project: Project },
  { resources, positionOf }: Pick<DesiredState, 'resources' | 'positionOf'>,
  findings: readonly Finding[],
  looksFor: (code: FindingCode, name: string) => boolean,
): readonly Finding[] {
  const canFind = (code: string) => {
    const named = sourceModel.findingCodes.flatMap(([name, meaning]) => (name === code && !meaning.isFixed ? [meaning] : []));
    return named.length > 0 && named.every((meaning) => looksFor(meaning, code));
  };
  const isHere = ({ address, file }: SeverityRule) =>
    resources.some(
      (resource) =>
        (address === null || matchesGlob(address, resource.address)) &&
        (file === null || matchesGlob(file, (resource.textFilePosition ?? positionOf(resource.path)).file)),
    );
  const concerns = (rule: SeverityRule) => project.targets.length === 1 || isHere(rule);
  const unused = rulesWithoutFinding(project.rules, findings, canFind, concerns);
  if (unused.length === 0) return [];
  const place = positionsIn(files, project.file);
  return unused.map((finding) => findingAt(place(finding.path), finding));
}
