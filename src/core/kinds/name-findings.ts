/**
 * Warns about names that a service may store in another form, under which their objects are not found again (design section 3, identity).
 */
import type { FindingCodes } from '../model/finding-codes.ts';
import type { Path } from '../model/json.ts';
import { type UnlocatedFinding, warningFinding } from './unlocated-finding.ts';

/** The codes of `nameWarnings`. */
export const NAME_CODES: FindingCodes = {
  'name-spaces': { meaning: 'a `desc` or a policy name that begins or ends with a space' },
  'name-not-nfc': { meaning: 'a `desc` or a policy name that is not in Unicode form NFC' },
};

/** Warns about the name at `path`. `noun` is what the name is called, for example `the description`. */
export function nameWarnings(noun: string, name: string, path: Path): readonly UnlocatedFinding[] {
  const why = 'and the service may store it in another form, under which it is not found again';
  return [
    ...(name === name.trim()
      ? []
      : [warningFinding('name-spaces', path, `${noun} begins or ends with a space, ${why}`, 'Remove the space.')]),
    ...(name === name.normalize('NFC')
      ? []
      : [
          warningFinding(
            'name-not-nfc',
            path,
            `${noun} is not in Unicode form NFC, ${why}`,
            'Write its accents as single characters (NFC).',
          ),
        ]),
  ];
}
