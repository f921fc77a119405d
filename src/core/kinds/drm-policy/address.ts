/** The addresses of policies: the prefix, and the name in percent-encoding. */

import { percentEncoded } from '../../model/address.ts';

const PREFIX = 'drm-policy/';

/** Returns `drm-policy/` and the name, percent-encoded so that it has no character with a meaning in a path or a glob. */
export function addressOf(name: string): string {
  return `${PREFIX}${percentEncoded(name)}`;
}

/**
 * Returns the address, or the glob of addresses, that a user means who writes the name of a policy as it is: `drm-policy/Kids & Co`. A text
 * that may be encoded already, and one of another kind, is returned as it is.
 */
export function askedAddress(asked: string): string {
  const name = asked.slice(PREFIX.length);
  if (!asked.startsWith(PREFIX) || name.startsWith('~') || /^(?:[A-Za-z0-9._*-]|%[0-9A-F]{2})*$/.test(name)) return asked;
  return `${PREFIX}${name.split('*').map(percentEncoded).join('*')}`;
}
