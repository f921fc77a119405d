/** Workflow commands as GitHub's own toolkit writes them. */
import { error, notice, warning } from '@actions/core';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { render } from '../../../src/report/index.ts';
import { assertProperty } from '../../support/property.ts';
import { anyOptions, hostileDocument } from '../hostile.ts';
import { type Annotation, readAnnotations } from '../languages/workflow-commands.ts';

/** Returns what the toolkit prints for an annotation. */
function printed({ command, message, properties: { file, line, col, title } }: Annotation): string {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const place = {
      ...(line === undefined ? {} : { startLine: Number(line) }),
      ...(col === undefined ? {} : { startColumn: Number(col) }),
    };
    ({ error, notice, warning })[command](message, {
      ...(title === undefined ? {} : { title }),
      ...(file === undefined ? {} : { file }),
      ...place,
    });
  } finally {
    write.mockRestore();
  }
  return written.join('');
}

/** An annotation with its properties in the order of their names: their order means nothing, and an empty one nothing either. */
function normalized(line: string): string {
  const [, command = '', properties = '', message = ''] = /^::(\w+) ([^:]*)::(.*)$/s.exec(line.replace(/\r?\n$/, '')) ?? [];
  return JSON.stringify([
    command,
    properties
      .split(',')
      .filter((property) => !property.endsWith('='))
      .toSorted(),
    message,
  ]);
}

test("an annotation is written as GitHub's toolkit writes it, whatever the data", () => {
  let count = 0;
  assertProperty(
    fc.property(hostileDocument, anyOptions, (document, options) => {
      const text = render([document], 'github', options);
      const lines = text.split('\n').filter((line) => line !== '');
      for (const [index, annotation] of readAnnotations(text).entries()) {
        expect(normalized(printed(annotation))).toBe(normalized(lines[index] ?? ''));
        count += 1;
      }
    }),
  );
  expect(count).toBeGreaterThan(50);
});
