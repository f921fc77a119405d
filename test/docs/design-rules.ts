/** Reads the rules of docs/design.md, and finds those that name no test. */

/** A rule of the design. */
interface DesignRule {
  /** Its section, its heading below that, and its number, for example `6 Lock 2`. */
  readonly name: string;
  readonly text: string;
}

/** Returns the items of all lists of the page. A rule is one line. */
export function rulesOf(page: string): readonly DesignRule[] {
  const rules: { name: string; text: string }[] = [];
  let section = '';
  let heading = '';
  for (const line of page.split('\n')) {
    const [, number] = /^## (\d+)\. /.exec(line) ?? [];
    const [, title] = /^###+ (.+)$/.exec(line) ?? [];
    const [, item] = /^(?:- )?(\d+(?:\.\d+)?)\. /.exec(line) ?? /^([-*]) /.exec(line) ?? [];
    if (number !== undefined) {
      section = number;
      heading = '';
    } else if (title !== undefined) heading = ` ${title}`;
    else if (item !== undefined) rules.push({ name: `${section}${heading} ${item}`, text: line });
  }
  return rules;
}

/** Returns what is wrong with the rules of the page: no number, no test behind the dash at the end of the sentence, or one that is not there. */
export function problemsOf(page: string, exists: (path: string) => boolean): readonly string[] {
  return rulesOf(page).flatMap(({ name, text }) => {
    const [, tests = ''] = / — ((?:`[^`]+`(?:, )?)+)$/.exec(text) ?? [];
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    if (/[-*]$/.test(name)) return [`${name}: has no number`];
    if (named.length === 0) return [`${name}: names no test`];
    return named.filter((path) => !/^test\/.+\.test\.ts$/.test(path) || !exists(path)).map((path) => `${name}: ${path} is no test`);
  });
}
