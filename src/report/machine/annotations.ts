/** Converts diagnostics to annotations on lines of files, for the check of a commit. */
import type { Document, Site } from '../document.ts';
import { type DiagnosticLevel, diagnosticsOf, messageOf, nameOf, placeOf } from './diagnostics.ts';

/**
 * An annotation of a line; its texts are escaped and limited in length. `path` from the top of the git work tree; line and column from 1.
 */
export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly level: DiagnosticLevel;
  readonly title: string;
  readonly message: string;
}

/** Returns the annotations of documents, risk first. */
export function annotationsOf(documents: readonly Document[], site: Site): readonly Annotation[] {
  return diagnosticsOf(documents).map((diagnostic) => {
    const { file, line, column } = placeOf(diagnostic, site);
    return {
      path: file,
      line,
      column,
      level: diagnostic.level,
      title: nameOf(`upkeep: ${diagnostic.code}`),
      message: messageOf(diagnostic),
    };
  });
}
