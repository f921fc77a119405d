import type { Renderer } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';
import { type DiagnosticLevel, diagnosticLocation, diagnosticsOf, fingerprintsOf, formatMessage, formatName } from './diagnostics.ts';

const SEVERITIES: { readonly [level in DiagnosticLevel]: string } = { error: 'critical', warning: 'minor', note: 'info' };

/** Renders diagnostics as a GitLab code quality report, for merge requests. */
export const renderGitlab: Renderer = (documents, { origin }) => {
  const diagnostics = diagnosticsOf(documents);
  const fingerprints = fingerprintsOf(diagnostics);
  const violations = diagnostics.map((diagnostic, index) => {
    const { file, line } = diagnosticLocation(diagnostic, origin);
    return {
      description: formatMessage(diagnostic),
      check_name: formatName(diagnostic.code),
      fingerprint: fingerprints[index] ?? '',
      severity: SEVERITIES[diagnostic.level],
      location: { path: file, lines: { begin: line } },
    };
  });
  return finish([visibleJson(violations, 2)]);
};
