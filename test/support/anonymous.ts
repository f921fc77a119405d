/** Reports without who ran them and where, as `show` gives them: a file proves nothing about its writer. */

/** Returns a report of the user `by` on the machine `where` without them. */
export function anonymous(report: string, { by, where }: { readonly by?: string; readonly where?: string }): string {
  const [user, machine] = [by, where].map((claim) => JSON.stringify(claim));
  const members = [`"by":${user},`, `"where":${machine},`, `    "by": ${user},\n`, `    "where": ${machine},\n`];
  const claims = [`<li>by ${by}</li>`, `<li>on ${where}</li>`, `, by ${by}`, ` ${where},`, ...members];
  return claims.reduce((text, claim) => text.replaceAll(claim, ''), report);
}
