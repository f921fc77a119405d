/** The findings about the documents of one source that contradict each other, or lack a value. */
import type { Finding, FindingText } from '../model/finding.ts';
import { isJsonObject } from '../model/json.ts';
import { findingAt } from './findings.ts';
import type { MergedDocuments } from './overlay.ts';

/** Returns the findings about sections and members that are defined twice, and about sections without a value. */
export function mergeFindings(merged: MergedDocuments, keyed: ReadonlySet<string>): readonly Finding[] {
  return [...duplicateKeyFindings(merged, keyed), ...bareSectionFindings(merged)];
}

function duplicateKeyFindings({ duplicates }: MergedDocuments, keyed: ReadonlySet<string>): readonly Finding[] {
  return duplicates.map(({ path, document, earlier }) => {
    const section = String(path[0]);
    if (path.length === 1 && keyed.has(section) && !isJsonObject(document.value[section])) {
      const summary = `\`${section}\` must be a map, not a list or a text`;
      return findingAt(document.locate(path, 'value'), { code: 'wrong-type', summary, hint: 'Write each entry below a key of its own.' });
    }
    return findingAt(document.locate(path, 'key'), {
      code: 'duplicate-key',
      summary: `\`${String(path.at(-1))}\` is defined twice in one source`,
      otherPlace: earlier.locate(path, 'key'),
      hint: 'Keep one of them.',
    });
  });
}

function bareSectionFindings({ bareSections }: MergedDocuments): readonly Finding[] {
  return bareSections.map(({ path, document }) => {
    const text: FindingText = {
      code: 'null',
      summary: `\`${String(path[0])}:\` has no value`,
      hint: 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.',
    };
    return findingAt(document.locate(path, 'key'), text);
  });
}
