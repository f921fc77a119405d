/**
 * SARIF 2.1.0 by its published schema (package `@microsoft/jest-sarif`), and what the schema cannot say: indices point at their rules, results
 * differ in their fingerprint and lie in the repository, and no message has a link or a placeholder.
 */
import published from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { lazy } from '../../../src/core/config/lazy.ts';

/** One result, as far as tests look at it. */
export interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string };
        readonly region: { readonly startLine: number; readonly startColumn: number };
      };
    },
  ];
  readonly partialFingerprints: { readonly [name: string]: string };
  readonly properties: { readonly targets: readonly string[] };
}

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly invocations: readonly [{ readonly executionSuccessful: boolean; readonly toolExecutionNotifications?: readonly unknown[] }];
  readonly results: readonly Result[];
}

/** The schema is of draft-04, but has only keywords that draft-07 reads in the same way. One of its patterns is none in Unicode mode. */
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false });
const accepts = lazy(() => {
  const { $schema: _draft, id: _id, ...schema } = published;
  return ajv.compile<{ readonly runs: readonly Run[] }>(schema);
});

/** Reads a log of one run. @throws Error that names what SARIF does not allow */
export function readSarif(report: string): Run {
  const log: unknown = JSON.parse(report);
  const validate = accepts();
  if (!validate(log)) throw new Error(ajv.errorsText(validate.errors));
  const { runs } = log;
  const [run] = runs;
  if (!run || runs.length > 1) throw new Error(`${runs.length} runs`);
  const prints = new Set(run.results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints)));
  if (prints.size < run.results.length) throw new Error('two results with one fingerprint');
  for (const { ruleId, ruleIndex, message, locations } of run.results) {
    if (run.tool.driver.rules[ruleIndex]?.id !== ruleId) throw new Error(`${ruleId} is not rule ${ruleIndex}`);
    const { uri, uriBaseId } = locations[0].physicalLocation.artifactLocation;
    if (!/^[A-Za-z0-9/._~!*'()%-]*$/.test(uri) || uriBaseId !== '%SRCROOT%') throw new Error(`${uri} is not in the repository`);
    const text = message.text.replace(/\{\{|\}\}/g, '');
    if (/[{}]/.test(text)) throw new Error(`a placeholder in ${message.text}`);
    if (text.includes('](')) throw new Error(`a link in ${message.text}`);
  }
  return run;
}
