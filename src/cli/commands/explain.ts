import { type ExplainAddressOptions, explainAddress, requireKind } from '../../app/explain-address.ts';
import { explainField, explainFiles } from '../../app/explain-field.ts';
import { prepareTarget } from '../../app/plan-target.ts';
import type { TargetOptions } from '../../app/run/options.ts';
import { withReports } from '../../app/run/reports.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { forEachTarget } from '../../app/targets/for-each-target.ts';
import { kinds } from '../../core/kinds/index.ts';
import { kindOfAddress } from '../../core/model/address.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';

/** Flags of `explain`. */
export interface ExplainOptions extends TargetOptions, ExplainAddressOptions {}

/**
 * Runs `explain [ADDRESS or FIELD]`: explains why a resource is planned as it is, or what a field means; without either, lists the
 * top-level keys.
 */
export function explainCommand(io: AppContext, word: string | undefined, options: ExplainOptions): Promise<ExitCode> {
  if (word !== undefined && isAddress(word)) {
    const kind = requireKind(word);
    return forEachTarget(io, options, {
      prepare: (run) => prepareTarget(run, undefined),
      work: (run, prepared) => explainAddress(run, prepared, kind, word, options),
    });
  }
  return withReports(io, options, async (reports) => {
    for (const field of word === undefined ? explainFiles() : [explainField(word)]) reports.add({ type: 'field', field });
    return [];
  });
}

/** Decides whether a word is an address: fields have no slash, and the only address of a kind is no key of a file. */
function isAddress(word: string): boolean {
  return word.includes('/') || kindOfAddress(kinds, word)?.type === 'setting';
}
