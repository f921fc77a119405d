import type { Renderer } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';
import { type DiagnosticLevel, diagnosticsOf, fingerprintsOf, messageOf, nameOf, placeOf } from './diagnostics.ts';

const SEVERITIES: { readonly [level in DiagnosticLevel]: string } = { error: 'critical', warning: 'minor', note: 'info' };

/** Renders diagnostics as a GitLab code quality report, for merge requests. */
export const renderGitlab: Renderer = (documents, { site }) => {
  const diagnostics = diagnosticsOf(documents);
  const fingerprints = fingerprintsOf(diagnostics);
  const violations = diagnostics.map((diagnostic, index) => {
    const { file, line } = placeOf(diagnostic, site);
    return {
      description: messageOf(diagnostic),
      check_name: nameOf(diagnostic.code),
      fingerprint: fingerprints[index] ?? '',
      severity: SEVERITIES[diagnostic.level],
      location: { path: file, lines: { begin: line } },
    };
  });
  return finish([visibleJson(violations, 2)]);
};
