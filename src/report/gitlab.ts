import type { Renderer } from './document.ts';
import { finish, visibleJson } from './escape.ts';
import { fingerprintsOf, type Level, messageOf, nameOf, noticesOf, placeOf } from './notices.ts';

const SEVERITIES: { readonly [level in Level]: string } = { error: 'critical', warning: 'minor', note: 'info' };

/** The notices as a report of GitLab's code quality, for merge requests. */
export const renderGitlab: Renderer = (documents, { site }) => {
  const notices = noticesOf(documents);
  const fingerprints = fingerprintsOf(notices);
  const violations = notices.map((notice, index) => {
    const { file, line } = placeOf(notice, site);
    return {
      description: messageOf(notice),
      check_name: nameOf(notice.code),
      fingerprint: fingerprints[index] ?? '',
      severity: SEVERITIES[notice.level],
      location: { path: file, lines: { begin: line } },
    };
  });
  return finish([visibleJson(violations, 2)]);
};
