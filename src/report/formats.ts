/** The formats that documents can be reported in, known by name where nothing is reported yet: the command line loads no renderer. */

/** The names of all formats. */
export const formats = ['text', 'markdown', 'html', 'json'] as const;

/** A format that documents can be reported in. */
export type Format = (typeof formats)[number];

/** Whether a word of the command line names a format. */
export function isFormat(word: string): word is Format {
  return formats.some((format) => format === word);
}
