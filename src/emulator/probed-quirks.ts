/** Reads the quirks of a service from the result of `upkeep probe`. What was not found out stays as it is by default. */
import type { ProbeReport } from '../probe/probe-report.ts';
import type { ServiceQuirks } from './quirks.ts';

/** The quirks that a probe found out, and the two settings of signatures. */
export interface ProbedService {
  readonly quirks: Partial<ServiceQuirks>;
  readonly refuseReused?: boolean;
  /** How far a timestamp may be from the time of the service, seconds. */
  readonly timestampToleranceSeconds?: number;
}

/** How the emulator behaves for each answer, by the ID of the assumption. */
const BEHAVIOR: { readonly [id: string]: { readonly [found: string]: Partial<ServiceQuirks> } } = {
  'create-status': { 'HTTP 200': { createdStatus: 200 }, 'HTTP 201': { createdStatus: 201 } },
  'smart-start-empty': { present: { emptyLists: 'present' }, missing: { emptyLists: 'missing' } },
  'smart-start-elements': { ids: { smartStartElements: 'ids' }, objects: { smartStartElements: 'objects' } },
  integers: { numbers: { numericStrings: false }, strings: { numericStrings: true } },
  switches: { numbers: { switches: 'numbers' }, booleans: { switches: 'booleans' } },
  'asset-id-case': { kept: { assetIdCase: 'kept' }, folded: { assetIdCase: 'folded' } },
  'unknown-members': { none: { unknownMembers: false }, some: { unknownMembers: true } },
  'abridged-policies': { shown: { abridgedPolicies: false }, 'left out': { abridgedPolicies: true } },
  'unset-schedule': { null: { unsetSchedule: 'null' }, absent: { unsetSchedule: 'absent' }, empty: { unsetSchedule: 'empty' } },
  'unset-slicers': { null: { unsetSlicers: 'null' } },
  'lookup-form': { list: { lookUps: 'list' }, object: { lookUps: 'object' } },
  'list-order': { changes: { listOrder: 'shuffled' } },
  'new-object-place': { last: { listOrder: 'insertion' }, first: { listOrder: 'reversed' } },
  compression: {
    none: { compression: 'never' },
    'where accepted': { compression: 'accepted' },
    always: { compression: 'always' },
  },
  'scoped-key-v3-post': { both: { scopedKeyPost: 'any' }, form: { scopedKeyPost: 'form' }, json: { scopedKeyPost: 'json' } },
  'patch-list': { replaces: { patchMerges: false }, merges: { patchMerges: true } },
  'names-stored': {
    asSent: { storedNames: 'asSent' },
    trimmed: { storedNames: 'trimmed' },
    nfc: { storedNames: 'nfc' },
    cut: { storedNames: 'cut' },
    escaped: { storedNames: 'escaped' },
  },
  'names-answered': { stored: { answeredNames: 'stored' }, asSent: { answeredNames: 'asSent' } },
  'read-delay': { 'at once': { readDelayMs: 0 }, later: { readDelayMs: 3_000 } },
  'ids-answered': { new: { answeredIds: 'new' }, existing: { answeredIds: 'existing' } },
};

/** Longest time for which a signature is accepted where a probe found that one of ten minutes is, seconds. */
const LONG_TOLERANCE_SECONDS = 86_400;

/** Returns the behavior of the service that a probe has found. */
export function probedService({ answers }: Pick<ProbeReport, 'answers'>): ProbedService {
  const found = (id: string): string => answers.find((answer) => answer.id === id)?.found ?? '';
  const quirks = answers.map(({ id, found: answer }) => BEHAVIOR[id]?.[answer ?? ''] ?? {});
  return {
    quirks: Object.assign({}, ...quirks),
    ...(found('reused-signature') === 'accepted' ? { refuseReused: false } : {}),
    ...(found('timestamp-age') === 'accepted' ? { timestampToleranceSeconds: LONG_TOLERANCE_SECONDS } : {}),
  };
}
