/** The address of a ledger in a repository of its own (design section 6, a repository of its own). */
import { posix } from 'node:path';
import type { FindingText } from '../model/finding.ts';

/** The parts of an https or ssh address: scheme, user information, host, and the rest. */
const ADDRESS = /^(https|ssh):\/\/(?:([^@/]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(\/[^\s?#\\]+)$/;

/** The form that git calls scp-like, as far as it is certain how it would be written as an address. */
const SCP_LIKE = /^(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9][\w.-]*):([\w.~-][\w.~/-]*)$/;

const HINT = 'Write https://HOST/PATH, ssh://USER@HOST/PATH, or the path of a folder outside of this work tree.';

/**
 * Returns what is wrong with the address of a ledger repository; null where git can be given it. The texts quote no part of an address that
 * may be a secret.
 */
export function ledgerAddressProblem(written: string): FindingText | null {
  const problem = (summary: string, hint = HINT): FindingText => ({ code: 'ledger-address', summary, hint });
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(written)) {
    return problem('the address of the ledger has a control character or an invisible one', 'Write it again.');
  }
  if (written.startsWith('-')) return problem('the address of the ledger begins with a dash, as an option of git does');
  if (/^[^/]*::/.test(written)) return problem('the address of the ledger names a program of git (`NAME::`), which is not run');
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(written) ?? [];
  if (scheme !== undefined) return schemeProblem(scheme, written, problem);
  if (/^[^/]*:/.test(written)) {
    const [, user, host = '', path = ''] = SCP_LIKE.exec(written) ?? [];
    const hint = host === '' ? HINT : `Write ssh://${user === undefined ? '' : `${user}@`}${host}/${path}`;
    return problem('`host:path` is no address of a ledger, because it can be mistaken for a path', hint);
  }
  if (!posix.isAbsolute(written) && !posix.normalize(written).startsWith('../')) {
    const hint = 'A pull request could bring a repository there, which runs programs. Name a folder outside of this work tree.';
    return problem('the ledger repository lies in the project itself', hint);
  }
  return null;
}

function schemeProblem(scheme: string, written: string, problem: (summary: string, hint?: string) => FindingText): FindingText | null {
  if (scheme !== 'https' && scheme !== 'ssh') return problem('the address of the ledger must begin with https:// or ssh://, or be a path');
  const [, , user = '', host] = ADDRESS.exec(written) ?? [];
  if (host === undefined) return problem('the address of the ledger must have a host and a path, and neither query nor fragment');
  if (user === '') return null;
  const isName = scheme === 'ssh' && /^[A-Za-z0-9_][\w.-]*$/.test(user);
  const hint =
    'Give git the credentials: by a credential helper, GIT_ASKPASS or an SSH key. What was committed is no longer secret: replace it.';
  return isName ? null : problem('the address of the ledger may name a user only with ssh://, and never a password', hint);
}
