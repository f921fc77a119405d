/** HTML reports as a browser reads them, by a parser that the project did not write. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from '../../../src/core/model/visible-text.ts';
import { render } from '../../../src/report/index.ts';
import { assertProperty } from '../../support/property.ts';
import { change, OPTIONS, plan } from '../documents.ts';
import { anyOptions, hostileDocument, hostileText } from '../hostile.ts';
import { readPage } from '../outside-parsers.ts';

test('a report has no parse error, no link out of the page, no handler of events, and loads nothing, whatever the data', () => {
  assertProperty(
    fc.property(hostileDocument, anyOptions, (document, options) => {
      const { errors, attributes, elements } = readPage(render([document], 'html', options));
      expect(errors).toEqual([]);
      expect([...attributes].filter((name) => / (?:on\w+|src|srcset|action|formaction|data)$/.test(name))).toEqual([]);
      expect([...elements].filter((name) => ['img', 'iframe', 'object', 'embed', 'link', 'base', 'video', 'audio'].includes(name))).toEqual(
        [],
      );
    }),
  );
});

/** Text in backticks becomes code; one that encloses nothing is escaped. */
function withoutBackticks(text: string): string {
  return text.replaceAll('\\u{60}', '').replaceAll('`', '');
}

test('a name is shown as it is, but for hidden characters', () => {
  assertProperty(
    fc.property(hostileText, (name) => {
      const { text } = readPage(render([{ type: 'plan', plan: plan([change('playlist/a', { name })]) }], 'html', OPTIONS));
      expect(withoutBackticks(text)).toContain(withoutBackticks(visible(name)));
    }),
  );
});
