import type { Path } from '../../model/json.ts';
import type { Problem } from '../kind.ts';

/** A mistake at a path of the merged sources. */
export function error(code: string, path: Path, summary: string, hint: string): Problem {
  return { severity: 'error', code, path, summary, hint };
}

/** A doubt at a path of the merged sources. */
export function warning(code: string, path: Path, summary: string, hint: string): Problem {
  return { severity: 'warning', code, path, summary, hint };
}
