/** What lifts a hold: what a person may do, or the course of things (design section 16). */
import { shellText } from './command-line.ts';

/** What lifts a hold: the value of `--allow`, an edit, or the course of things. Where it has several, each of them does. */
export interface Lift {
  readonly allow?: string;
  /** A clause. */
  readonly edit?: string;
  /** A clause. */
  readonly course?: string;
}

/** Says what lifts a hold, as a clause; empty where nothing does. */
export function liftText(lift: Lift | null): string {
  const { course, edit, allow } = lift ?? {};
  const flag = allow === undefined ? undefined : shellText(['--allow', allow]);
  return [course, edit, flag].filter((each) => each !== undefined).join(', or ');
}
