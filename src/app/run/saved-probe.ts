/** The result of the last probe of a target: a file beside upkeep.yaml. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import probeSchema from '../../../schemas/probe.schema.json' with { type: 'json' };
import type { Target } from '../../core/config/project.ts';
import { createValidator } from '../../core/config/validator.ts';
import type { ProbeReport } from '../../probe/probe-report.ts';
import { codeOf } from './exit-codes.ts';

/** Checks the form of a saved probe. */
export const checkProbe = createValidator<ProbeReport>(probeSchema);

/** Returns the name of the file with the result of a target's probe, in the folder of upkeep.yaml. */
export function probeFile({ name }: Pick<Target, 'name'>): string {
  return `probe-${name}.json`;
}

/** Maximum size of the file, bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the result of the last probe of a target; null where there is none, and `unusable` where it cannot be read. A link is not followed:
 * a checkout could have brought it.
 */
export function savedProbe(folder: string, target: Pick<Target, 'name'>): ProbeReport | 'unusable' | null {
  try {
    const stat = lstatSync(join(folder, probeFile(target)));
    if (!stat.isFile() || stat.size > MAX_BYTES) return 'unusable';
    const result = checkProbe(JSON.parse(readFileSync(join(folder, probeFile(target)), 'utf8')));
    return 'value' in result ? result.value : 'unusable';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : 'unusable';
  }
}
