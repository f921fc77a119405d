/** The formats that documents can be reported in, known by name where nothing is reported yet: the command line loads no renderer. */

/** The names of the formats of all documents. */
export const formats = ['text', 'markdown', 'html', 'json', 'ndjson', 'sarif', 'junit', 'github', 'gitlab', 'prometheus'] as const;

/** The names of the formats of the list of targets. */
export const targetFormats = [...formats, 'github-matrix'] as const;

/** A format that documents can be reported in. */
export type Format = (typeof targetFormats)[number];

/** Decides whether a command line word names a format. */
export function isFormat(word: string): word is Format {
  return targetFormats.some((format) => format === word);
}
