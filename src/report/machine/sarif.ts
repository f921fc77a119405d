import type { Renderer, ReportOrigin } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';
import { type Diagnostic, diagnosticLocation, diagnosticsOf, fingerprintsOf, formatMessage, formatName, risksOf } from './diagnostics.ts';

/** Maximum number of results in one run; GitHub's code scanning rejects more. */
const MAX_RESULTS = 25_000;

/** Renders SARIF 2.1.0 (OASIS) for code scanning and editors: one run with the diagnostics of all documents as its results. */
export const renderSarif: Renderer = (documents, { origin }) => {
  const diagnostics = diagnosticsOf(documents);
  const shown = diagnostics.slice(0, MAX_RESULTS);
  const codes = [...new Set(shown.map(({ code }) => formatName(code)))];
  const fingerprints = fingerprintsOf(shown);
  const omitted = diagnostics.length - shown.length;
  const notifications = [
    ...risksOf(documents).map((text) => ({ level: 'note', message: { text: plainMessage(text) } })),
    ...(omitted > 0 ? [{ level: 'warning', message: { text: `${omitted} more results are left out.` } }] : []),
  ];
  const run = {
    tool: { driver: { name: 'upkeep', semanticVersion: origin.version, rules: codes.map(ruleOf) } },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: documents.every(({ type }) => type !== 'failure'),
        ...(notifications.length > 0 ? { toolExecutionNotifications: notifications } : {}),
      },
    ],
    results: shown.map((diagnostic, index) =>
      resultOf(diagnostic, codes.indexOf(formatName(diagnostic.code)), fingerprints[index] ?? '', origin),
    ),
  };
  return finish([visibleJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)]);
};

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

function ruleOf(code: string): object {
  return {
    id: code,
    shortDescription: {
      text: plainMessage(formatMessage({ text: code.replace(/^blocked-/, 'blocked by safety check ').replaceAll('-', ' '), hint: null })),
    },
  };
}

function resultOf(diagnostic: Diagnostic, ruleIndex: number, fingerprint: string, origin: ReportOrigin): object {
  const { code, level, address, targets } = diagnostic;
  const { file, line, column } = diagnosticLocation(diagnostic, origin);
  const region = { startLine: line, startColumn: column };
  const logicalLocation =
    address === null || address === '' ? {} : { logicalLocations: [{ fullyQualifiedName: formatName(address), kind: 'resource' }] };
  return {
    ruleId: formatName(code),
    ruleIndex,
    level,
    message: { text: plainMessage(formatMessage(diagnostic)) },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' }, region }, ...logicalLocation }],
    partialFingerprints: { 'upkeep/v1': fingerprint },
    properties: { targets },
  };
}

/** Escapes a message so that nothing in it is an embedded link or a placeholder (SARIF 2.1.0 sections 3.11.5 and 3.11.6). */
function plainMessage(text: string): string {
  return text.replaceAll('](', ']\\u{28}').replace(/[{}]/g, '$&$&');
}

/** Converts a path to a relative reference (RFC 3986). A lone surrogate, which no file name can contain, becomes U+FFFD. */
function uriOf(path: string): string {
  return path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
