import type { Renderer, Site } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';
import { type Diagnostic, diagnosticsOf, fingerprintsOf, messageOf, nameOf, placeOf } from './diagnostics.ts';

/** More results in one run are refused by GitHub's code scanning. */
const MOST_RESULTS = 25_000;

/** SARIF 2.1.0 (OASIS) for code scanning and editors: one run with the diagnostics of all documents as its results. */
export const renderSarif: Renderer = (documents, { site }) => {
  const diagnostics = diagnosticsOf(documents);
  const shown = diagnostics.slice(0, MOST_RESULTS);
  const codes = [...new Set(shown.map(({ code }) => nameOf(code)))];
  const fingerprints = fingerprintsOf(shown);
  const left = diagnostics.length - shown.length;
  const run = {
    tool: { driver: { name: 'upkeep', semanticVersion: site.version, rules: codes.map(ruleOf) } },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: documents.every(({ type }) => type !== 'failure'),
        ...(left > 0
          ? { toolExecutionNotifications: [{ level: 'warning', message: { text: `${left} more results are left out.` } }] }
          : {}),
      },
    ],
    results: shown.map((diagnostic, index) =>
      resultOf(diagnostic, codes.indexOf(nameOf(diagnostic.code)), fingerprints[index] ?? '', site),
    ),
  };
  return finish([visibleJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)]);
};

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

function ruleOf(code: string): object {
  return {
    id: code,
    shortDescription: {
      text: plain(messageOf({ text: code.replace(/^blocked-/, 'blocked by safety check ').replaceAll('-', ' '), hint: null })),
    },
  };
}

function resultOf(diagnostic: Diagnostic, ruleIndex: number, fingerprint: string, site: Site): object {
  const { code, level, address, targets } = diagnostic;
  const { file, line, column } = placeOf(diagnostic, site);
  const region = { startLine: line, startColumn: column };
  const logical =
    address === null || address === '' ? {} : { logicalLocations: [{ fullyQualifiedName: nameOf(address), kind: 'resource' }] };
  return {
    ruleId: nameOf(code),
    ruleIndex,
    level,
    message: { text: plain(messageOf(diagnostic)) },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' }, region }, ...logical }],
    partialFingerprints: { 'upkeep/v1': fingerprint },
    properties: { targets },
  };
}

/** A plain text message in which nothing is an embedded link or a placeholder (SARIF 2.1.0 sections 3.11.5 and 3.11.6). */
function plain(text: string): string {
  return text.replaceAll('](', ']\\u{28}').replace(/[{}]/g, '$&$&');
}

/** A path as a relative reference (RFC 3986); half a surrogate pair, which no file name can hold, becomes U+FFFD. */
function uriOf(path: string): string {
  return path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
