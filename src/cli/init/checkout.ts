/** What the recipes do in a checkout before upkeep runs: anybody may have brought its files. */
import { FIXED_OPTIONS } from '../../core/ledger/git-process.ts';

/**
 * Returns the lines of a shell script that fetches a branch of origin. It runs at the top of the checkout: in a folder below, git could take
 * files of a pull request for a repository, and run the programs that they name (design section 4, rule 13).
 */
export function fetchScript(refspec: string): readonly string[] {
  const [first, rest] = [FIXED_OPTIONS.slice(0, 6), FIXED_OPTIONS.slice(6)].map((options) => options.join(' '));
  return [`GIT_TERMINAL_PROMPT=0 git ${first} \\`, `  ${rest} \\`, `  fetch --quiet --no-tags --depth=1 origin ${refspec}`];
}

/** Returns the line of a shell script that removes what would be taken for reports of this run: files, folders or links. */
export function removeReports(...files: readonly string[]): string {
  return `rm -rf ${files.join(' ')}`;
}
