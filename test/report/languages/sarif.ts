/**
 * What SARIF 2.1.0 sections 3.13 to 3.52 (OASIS) allows of the objects that reports write, transcribed member by member and closed, so that
 * a member of another name or form is seen. Beyond the schema: indices point at their rules, and no message holds a link or a placeholder.
 */
import { Ajv } from 'ajv';

const TEXT = { type: 'object', required: ['text'], additionalProperties: false, properties: { text: { type: 'string', minLength: 1 } } };
const LEVEL = { enum: ['none', 'note', 'warning', 'error'] };
const POSITION = { type: 'integer', minimum: 1 };

function closed(properties: { readonly [member: string]: unknown }, ...optional: readonly string[]): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', additionalProperties: false, required, properties };
}

function list(items: unknown): object {
  return { type: 'array', items };
}

const RESULT = closed({
  ruleId: { type: 'string' },
  ruleIndex: { type: 'integer', minimum: 0 },
  level: LEVEL,
  message: TEXT,
  locations: list(
    closed(
      {
        physicalLocation: closed({
          artifactLocation: closed({
            uri: { type: 'string', pattern: "^[A-Za-z0-9/._~!*'()%-]*$" },
            uriBaseId: { const: '%SRCROOT%' },
          }),
          region: closed({ startLine: POSITION, startColumn: POSITION }),
        }),
        logicalLocations: list(closed({ fullyQualifiedName: { type: 'string' }, kind: { type: 'string' } })),
      },
      'logicalLocations',
    ),
  ),
  partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
  properties: closed({ targets: list({ type: 'string' }) }),
});

const RUN = closed({
  tool: closed({
    driver: closed({
      name: { const: 'upkeep' },
      semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
      rules: { type: 'array', uniqueItems: true, items: closed({ id: { type: 'string' }, shortDescription: TEXT }) },
    }),
  }),
  columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
  invocations: list(
    closed(
      { executionSuccessful: { type: 'boolean' }, toolExecutionNotifications: list(closed({ level: LEVEL, message: TEXT })) },
      'toolExecutionNotifications',
    ),
  ),
  results: list(RESULT),
});

const LOG = closed({
  $schema: { const: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json' },
  version: { const: '2.1.0' },
  runs: { type: 'array', minItems: 1, maxItems: 1, items: RUN },
});

/** One result, as far as tests look at it. */
export interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string };
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

const ajv = new Ajv({ strict: true, allErrors: true, strictTypes: false });
const accepts = ajv.compile<{ readonly runs: readonly [Run] }>(LOG);

/** Reads a log. @throws Error that names what SARIF does not allow */
export function readSarif(report: string): Run {
  const log: unknown = JSON.parse(report);
  if (!accepts(log)) throw new Error(ajv.errorsText(accepts.errors));
  const [run] = log.runs;
  const prints = new Set(run.results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints)));
  if (prints.size < run.results.length) throw new Error('two results with one fingerprint');
  for (const { ruleId, ruleIndex, message } of run.results) {
    if (run.tool.driver.rules[ruleIndex]?.id !== ruleId) throw new Error(`${ruleId} is not rule ${ruleIndex}`);
    const text = message.text.replace(/\{\{|\}\}/g, '');
    if (/[{}]/.test(text)) throw new Error(`a placeholder in ${message.text}`);
    if (text.includes('](')) throw new Error(`a link in ${message.text}`);
  }
  return run;
}
