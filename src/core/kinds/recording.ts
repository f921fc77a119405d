/**
 * The contract between recordings and the kinds of resource: the words of its API documents that a kind brings. Nothing else in the core
 * knows it; `src/recording/kind-words.ts` lists the words.
 */

/**
 * The words of one kind that a recording keeps, because they say nothing about an account: `recording.ts` in the folder of the kind. What
 * the schema of the kind names is kept as well.
 */
export interface KindWords {
  /** The paths of its requests. A recording keeps their segments and replaces all others, such as IDs. */
  readonly paths: readonly string[];
  /** Names of query parameters. */
  readonly parameters?: readonly string[];
  /** Members of requests and answers whose texts are replaced. */
  readonly texts?: readonly string[];
  /** Members whose numbers are kept. */
  readonly numbers?: readonly string[];
  /** Members whose booleans are kept, also where they are written as texts. */
  readonly booleans?: readonly string[];
  /** The values that are kept, by member. */
  readonly values?: { readonly [member: string]: readonly string[] };
  /** Members with an error text of the service, of which common words are kept. */
  readonly errorTexts?: readonly string[];
}
