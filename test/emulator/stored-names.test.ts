import { expect, test } from 'vitest';
import { type ServiceQuirks, storedName } from '../../src/emulator/quirks.ts';

test.each<[ServiceQuirks['storedNames'], string, string]>([
  ['asSent', ' a & b ', ' a & b '],
  ['trimmed', ' a & b ', 'a & b'],
  ['nfc', 'Cafe\u0301', 'Caf\u00e9'],
  ['cut', 'Evening block', 'Evening '],
  ['escaped', `<a> & "b"'`, '&lt;a&gt; &amp; &quot;b&quot;&#39;'],
])('a name that is stored %s: %j becomes %j', (storedNames, name, stored) => {
  expect(storedName(name, { storedNames })).toBe(stored);
});
