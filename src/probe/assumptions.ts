/**
 * What upkeep assumes about the service where its API documents leave a question open. Nothing else is assumed in src/core/api-client and
 * src/core/kinds. The table of docs/assumptions.md is generated from this list; the readers of the answers are in the files of the steps.
 */
import type { ProbeStep } from './probe-report.ts';

/** What an answer means for upkeep; `addsTo` is the path of a list that should have what was found; `notFor` names what upkeep must not be used for where there is no setting. */
export type Meaning =
  | 'assumed'
  | 'also works'
  | { readonly setting: string; readonly value: string }
  | { readonly addsTo: string }
  | { readonly notFor: string };

/** One assumption. */
export interface Assumption {
  readonly id: string;
  /** What is assumed, one sentence. */
  readonly assumed: string;
  /** Where docs/api-notes.md speaks about it. */
  readonly citation: string;
  /** Path of the setting below a target of upkeep.yaml, where there is one. */
  readonly setting?: string;
  /** The test that shows what upkeep does: where the assumption holds, and where the answer is another one. */
  readonly test: string;
  /** The question of the probe; absent where no request can answer it without harm. */
  readonly question?: Question;
}

/** A question that `upkeep probe` asks. */
interface Question {
  readonly step: ProbeStep;
  readonly text: string;
  /** The answers and their meanings; absent where the answer is a figure. */
  readonly answers?: { readonly [answer: string]: Meaning };
}

const READ = 'read';
const WRITE = 'write';
const NONE = { none: 'assumed' } as const;

/** All assumptions, by the sections of docs/api-notes.md. */
export const ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'signature-accepted',
    assumed: 'The service accepts `msg` and `sig` in the query, in the form of the vendor, or the token of a scoped key.',
    citation: 'api-notes section 1, point 9',
    setting: 'service.signature_in',
    test: 'test/core/api-client/sign.test.ts',
    question: {
      step: READ,
      text: 'Is a request accepted that is signed as the target says?',
      answers: { accepted: 'assumed', refused: { notFor: 'anything: no request is accepted' } },
    },
  },
  {
    id: 'signature-in-header',
    assumed: 'The service does not require signatures in the header `Authorization`.',
    citation: 'api-notes section 1, point 14',
    test: 'test/emulator/authenticate.test.ts',
    question: {
      step: READ,
      text: 'Is a signature in the header accepted?',
      answers: { refused: 'assumed', accepted: 'also works', 'on v4 only': 'also works', 'on v3 only': 'also works' },
    },
  },
  {
    id: 'v3-post',
    assumed: 'A v3 POST carries its data as `item` inside `msg`, in a form.',
    citation: 'api-notes section 1, point 9',
    setting: 'service.v3_post',
    test: 'test/e2e/signing.test.ts',
    question: {
      step: WRITE,
      text: 'Which form of a v3 POST is accepted?',
      answers: {
        form: { setting: 'service.v3_post', value: 'form' },
        json: { setting: 'service.v3_post', value: 'json' },
        both: 'assumed',
        neither: { notFor: 'DRM policies, VMP statuses, the static key and its rotation: no v3 POST is accepted' },
      },
    },
  },
  {
    id: 'scoped-key-v3-post',
    assumed: 'With a scoped key, a POST of v3 and v2 carries its data as JSON.',
    citation: 'api-notes section 1, point 12',
    setting: 'service.scoped_key_v3_post',
    test: 'test/core/api-client/scoped-key.test.ts',
    question: {
      step: WRITE,
      text: 'Which form of a v3 POST is accepted with a scoped key?',
      answers: {
        form: { setting: 'service.scoped_key_v3_post', value: 'form' },
        json: { setting: 'service.scoped_key_v3_post', value: 'json' },
        both: 'assumed',
        neither: { notFor: 'DRM policies, VMP statuses, the static key and its rotation: no v3 POST is accepted' },
      },
    },
  },
  {
    id: 'scoped-key-file',
    assumed:
      'The file of a scoped key has `KID`, `SUB`, `PRIVATE_B64` and `SCP`, whose scopes commas, spaces or JSON separate, and perhaps `EXP`.',
    citation: 'api-notes section 1, point 13',
    test: 'test/core/api-client/scoped-key.test.ts',
  },
  {
    id: 'refused-key',
    assumed: '401 says that a key is rejected, 403 that it may not do this.',
    citation: 'api-notes section 1, point 11',
    test: 'test/core/api-client/response.test.ts',
  },
  {
    id: 'reused-signature',
    assumed: 'The service may refuse a reused signature, so upkeep never reuses one.',
    citation: 'api-notes section 1, point 6',
    test: 'test/core/api-client/sign.test.ts',
    question: {
      step: READ,
      text: 'Is the same signature accepted twice?',
      answers: { refused: 'assumed', accepted: 'also works', 'refused for a time': 'also works' },
    },
  },
  {
    id: 'timestamp-age',
    assumed: 'A signature is accepted for as long as one attempt takes.',
    citation: 'api-notes section 1, point 7',
    test: 'test/core/api-client/retry.test.ts',
    question: {
      step: READ,
      text: 'Is a signature that is ten minutes old accepted?',
      answers: { refused: 'assumed', accepted: 'also works' },
    },
  },
  {
    id: 'clock',
    assumed: 'The clocks differ by at most a minute.',
    citation: 'api-notes section 1, point 7',
    test: 'test/cli/commands/doctor.test.ts',
    question: {
      step: READ,
      text: 'How far are the clocks apart?',
      answers: { 'within a minute': 'assumed', 'more than a minute': { notFor: 'anything, until the clock of this machine is set' } },
    },
  },
  {
    id: 'bad-key-v4',
    assumed: 'v4 answers a bad signature with 400, 401 or 403.',
    citation: 'api-notes section 1, point 7',
    test: 'test/core/api-client/response.test.ts',
    question: {
      step: READ,
      text: 'How does v4 answer a wrong key?',
      answers: {
        'HTTP 400': 'assumed',
        'HTTP 401': 'assumed',
        'HTTP 403': 'assumed',
        'another status': { notFor: 'telling a refused key from other faults: exit code 7 is not given' },
        accepted: { notFor: 'anything: the service accepts a wrong key' },
      },
    },
  },
  {
    id: 'bad-key-v3',
    assumed: 'v3 answers a bad signature with a nonzero `error`, or with 400, 401 or 403.',
    citation: 'api-notes section 1, point 7',
    test: 'test/core/api-client/response.test.ts',
    question: {
      step: READ,
      text: 'How does v3 answer a wrong key?',
      answers: {
        error: 'assumed',
        'HTTP 400': 'assumed',
        'HTTP 401': 'assumed',
        'HTTP 403': 'assumed',
        'another status': { notFor: 'telling a refused key from other faults: exit code 7 is not given' },
        accepted: { notFor: 'anything: the service accepts a wrong key' },
      },
    },
  },
  {
    id: 'credential-words',
    assumed: 'An error of a v3 read is about the credentials if its text names the signature, the key, the owner or the time.',
    citation: 'api-notes section 1, point 7',
    test: 'test/core/api-client/response.test.ts',
  },
  {
    id: 'get-without-body',
    assumed: 'The service does not require a body in GET and DELETE, nor a trailing slash in paths.',
    citation: 'api-notes section 1, point 10',
    test: 'test/core/api-client/wire.test.ts',
  },
  {
    id: 'create-status',
    assumed: 'Any 2xx status of a create is a success.',
    citation: 'api-notes section 2, point 1',
    test: 'test/core/kinds/contract.test.ts',
    question: {
      step: WRITE,
      text: 'With which status is a create of a playlist answered?',
      answers: { 'HTTP 200': 'assumed', 'HTTP 201': 'assumed', 'another 2xx': 'also works' },
    },
  },
  {
    id: 'unknown-id-v4',
    assumed: 'v4 answers 404 for an ID that does not exist.',
    citation: 'api-notes section 2, point 2',
    test: 'test/core/kinds/playlist/api.test.ts',
    question: {
      step: READ,
      text: 'How does v4 answer an unknown ID?',
      answers: {
        'HTTP 404': 'assumed',
        'another answer': { notFor: 'creating and deleting playlists: that nothing is there cannot be told from a fault' },
      },
    },
  },
  {
    id: 'unknown-id-v3',
    assumed: 'v3 answers a nonzero `error`, 404 or no policy for an ID that does not exist.',
    citation: 'api-notes section 2, point 3',
    test: 'test/core/kinds/drm-policy/api.test.ts',
    question: {
      step: READ,
      text: 'How does v3 answer an unknown ID?',
      answers: {
        error: 'assumed',
        'HTTP 404': 'assumed',
        'no policy': 'assumed',
        'another answer': { notFor: 'creating and deleting DRM policies: that nothing is there cannot be told from a fault' },
      },
    },
  },
  {
    id: 'error-forms',
    assumed: 'An answer of v4 with `@type` Error or with an `error` is an error, whatever its status.',
    citation: 'api-notes section 2, point 2',
    test: 'test/core/kinds/playlist/api.test.ts',
  },
  {
    id: 'total-items',
    assumed: '`total_items` counts the items of a list.',
    citation: 'api-notes section 2, point 1',
    test: 'test/core/kinds/playlist/api.test.ts',
    question: {
      step: READ,
      text: 'Does `total_items` count the items of the list?',
      answers: {
        'counts the items': 'assumed',
        'fewer than the items': 'also works',
        'more than the items': { notFor: 'playlists: their list is not complete' },
        missing: { notFor: 'playlists: nothing shows that their list is complete' },
      },
    },
  },
  {
    id: 'paging',
    assumed: 'A list is complete without paging parameters.',
    citation: 'api-notes section 2, point 1',
    test: 'test/e2e/reads.test.ts',
    question: {
      step: READ,
      text: 'Are paging parameters of a list ignored or honored?',
      answers: { ignored: 'assumed', honored: 'also works', refused: 'also works' },
    },
  },
  {
    id: 'list-order',
    assumed: 'The order of a list means nothing.',
    citation: 'api-notes section 2, point 8',
    test: 'test/core/kinds/contract.test.ts',
    question: {
      step: READ,
      text: 'Has a list the same order the second time?',
      answers: { same: 'assumed', changes: 'also works' },
    },
  },
  {
    id: 'list-bytes',
    assumed: 'The same read may return different bytes each time.',
    citation: 'api-notes section 2, point 8',
    test: 'test/core/kinds/contract.test.ts',
    question: {
      step: READ,
      text: 'Is a list equal byte by byte the second time?',
      answers: { equal: 'assumed', different: 'also works' },
    },
  },
  {
    id: 'etag',
    assumed: 'Responses may lack an `ETag`: upkeep does not use it.',
    citation: 'api-notes section 2, point 8',
    test: 'test/core/api-client/client.test.ts',
    question: {
      step: READ,
      text: 'Has a list an `ETag`, and is it the same the second time?',
      answers: { ...NONE, same: 'also works', changes: 'also works' },
    },
  },
  {
    id: 'compression',
    assumed: 'Answers are plain, or compressed with gzip or brotli.',
    citation: 'api-notes section 2, point 7',
    test: 'test/core/api-client/response.test.ts',
    question: {
      step: READ,
      text: 'Is a list compressed?',
      answers: { ...NONE, 'where accepted': 'also works', always: 'also works' },
    },
  },
  {
    id: 'integers',
    assumed: 'Integers arrive as numbers or as numeric strings.',
    citation: 'api-notes section 2, point 6',
    test: 'test/core/kinds/contract.test.ts',
    question: {
      step: READ,
      text: 'Do integers arrive as numbers?',
      answers: { numbers: 'assumed', strings: 'assumed', mixed: 'also works' },
    },
  },
  {
    id: 'switches',
    assumed: 'Switches of playlists arrive as 0 and 1, or as false and true.',
    citation: 'api-notes section 2, point 6',
    test: 'test/e2e/service-forms.test.ts',
    question: {
      step: READ,
      text: 'Do switches of playlists arrive as numbers?',
      answers: { numbers: 'assumed', booleans: 'assumed', mixed: 'also works' },
    },
  },
  {
    id: 'unknown-members',
    assumed: 'Answers may have members that no document names; they are never sent back.',
    citation: 'api-notes section 2, point 4',
    test: 'test/core/kinds/contract.test.ts',
    question: {
      step: READ,
      text: 'Have answers members that no document names?',
      answers: { ...NONE, some: 'also works' },
    },
  },
  {
    id: 'resettable-members',
    assumed:
      'An update may reset members within a policy, an entry of a list or the rotation schedule that no document names, and is blocked.',
    citation: 'api-notes section 2, point 4',
    setting: 'service.resettable_members',
    test: 'test/e2e/resettable-members.test.ts',
    question: {
      step: READ,
      text: 'Which members that no document names would an update reset?',
      answers: { ...NONE, some: { addsTo: 'service.resettable_members' } },
    },
  },
  {
    id: 'answer-time',
    assumed: 'An answer arrives within `http.timeout_seconds`.',
    citation: 'api-notes section 2, point 5',
    setting: 'http.timeout_seconds',
    test: 'test/core/api-client/client.test.ts',
    question: { step: READ, text: 'How long does an answer take?' },
  },
  {
    id: 'answer-size',
    assumed: 'An answer is smaller than `http.max_body_mib`.',
    citation: 'api-notes section 2, point 5',
    setting: 'http.max_body_mib',
    test: 'test/core/api-client/transport.test.ts',
    question: { step: READ, text: 'How large is the largest answer?' },
  },
  {
    id: 'rate',
    assumed: 'The service accepts `http.requests_per_second`, and answers 429 above its own limit.',
    citation: 'api-notes section 2, point 5',
    setting: 'http.requests_per_second',
    test: 'test/core/api-client/rate-limiter.test.ts',
  },
  {
    id: 'throttling',
    assumed: '408, 429 and 503 mean that the request may be sent again later, and `Retry-After` says when.',
    citation: 'api-notes section 2, point 9',
    setting: 'http.give_up_seconds',
    test: 'test/core/api-client/retry.test.ts',
  },
  {
    id: 'request-id',
    assumed: 'Responses may lack a request ID: upkeep only logs it.',
    citation: 'api-notes section 2, point 8',
    test: 'test/core/api-client/client.test.ts',
    question: {
      step: READ,
      text: 'Which header has the ID of a request, for the support of the vendor?',
      answers: { ...NONE, some: 'also works' },
    },
  },
  {
    id: 'names-stored',
    assumed: '`desc` and `policy_name` need not be stored as they are sent.',
    citation: 'api-notes section 2, point 5',
    test: 'test/e2e/stored-names.test.ts',
    question: {
      step: WRITE,
      text: 'In which form are spaces, accents and HTML characters of a name stored?',
      answers: {
        asSent: 'assumed',
        trimmed: 'also works',
        nfc: 'also works',
        cut: 'also works',
        escaped: 'also works',
        'in another form': 'also works',
        refused: 'also works',
      },
    },
  },
  {
    id: 'name-length',
    assumed: 'The longest `desc` is unknown; a cut one is reported after the write.',
    citation: 'api-notes section 2, point 5',
    test: 'test/e2e/stored-names.test.ts',
    question: {
      step: WRITE,
      text: 'Is a `desc` of a thousand characters stored whole?',
      answers: { whole: 'assumed', cut: 'also works', refused: 'also works' },
    },
  },
  {
    id: 'name-controls',
    assumed: 'Control characters in `desc` are a warning, and are sent as they are.',
    citation: 'api-notes section 3, point 4',
    test: 'test/e2e/odd-accounts.test.ts',
    question: {
      step: WRITE,
      text: 'Is a control character in `desc` stored?',
      answers: { stored: 'assumed', changed: 'also works', refused: 'also works' },
    },
  },
  {
    id: 'names-answered',
    assumed: 'The answer to a write need not show a name as it is stored.',
    citation: 'api-notes section 2, point 5',
    test: 'test/e2e/stored-names.test.ts',
    question: {
      step: WRITE,
      text: 'Does the answer to a write show a name as it is stored, or as it was sent?',
      answers: { stored: 'assumed', asSent: 'also works' },
    },
  },
  {
    id: 'ids-answered',
    assumed: 'The answer to a create names the new object.',
    citation: 'api-notes section 3, point 1',
    test: 'test/e2e/stored-names.test.ts',
    question: {
      step: WRITE,
      text: 'Is the ID in the answer to a create that of the new object?',
      answers: { new: 'assumed', existing: { notFor: 'creating objects: an answer names another object than the new one' } },
    },
  },
  {
    id: 'read-delay',
    assumed: 'Reads show what was written at the latest after `service.settle_seconds`.',
    citation: 'api-notes section 3, point 1',
    setting: 'service.settle_seconds',
    test: 'test/e2e/reads-lag.test.ts',
    question: {
      step: WRITE,
      text: 'How long after a write do reads show it?',
      answers: {
        'at once': 'assumed',
        later: 'also works',
        'not within 20 s': { notFor: 'verifying what was written: raise `service.settle_seconds`' },
      },
    },
  },
  {
    id: 'new-object-place',
    assumed: 'A new object may stand anywhere in its list.',
    citation: 'api-notes section 2, point 8',
    test: 'test/core/kinds/contract.test.ts',
    question: {
      step: WRITE,
      text: 'Where in its list does a new object stand?',
      answers: { last: 'assumed', first: 'also works', between: 'also works' },
    },
  },
  {
    id: 'desc-filter',
    assumed: 'The filter `desc` finds a playlist by its whole description.',
    citation: 'api-notes section 3, point 6',
    test: 'test/core/kinds/playlist/api.test.ts',
    question: {
      step: WRITE,
      text: 'Does the filter `desc` find a playlist?',
      answers: {
        finds: 'assumed',
        'is ignored': 'also works',
        'finds nothing': { notFor: 'creating playlists: after a lost answer, upkeep would not find what it created' },
      },
    },
  },
  {
    id: 'patch-list',
    assumed: 'A PATCH of `playlist` replaces the list.',
    citation: 'api-notes section 3, point 2',
    test: 'test/core/kinds/playlist/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Does a PATCH of `playlist` replace the list?',
      answers: {
        replaces: 'assumed',
        merges: { notFor: 'changing the entries of existing playlists: a PATCH adds to the list' },
        'does something else': { notFor: 'changing the entries of existing playlists' },
      },
    },
  },
  {
    id: 'asset-id-case',
    assumed: 'The case of an asset ID counts; a finding names IDs that differ from those of the account in nothing else.',
    citation: 'api-notes section 3, point 1',
    test: 'test/e2e/service-forms.test.ts',
    question: {
      step: WRITE,
      text: 'Is an asset ID stored in the case in which it is sent?',
      answers: { kept: 'assumed', refused: 'assumed', folded: 'also works' },
    },
  },
  {
    id: 'patch-empty',
    assumed: 'No PATCH is sent without a field.',
    citation: 'api-notes section 3, point 7',
    test: 'test/core/kinds/playlist/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Is a PATCH without any field accepted?',
      answers: { accepted: 'assumed', refused: 'assumed' },
    },
  },
  {
    id: 'entries-limit',
    assumed: 'A playlist holds at most 100 assets.',
    citation: 'api-notes section 3, point 7',
    test: 'test/core/kinds/playlist/declare.test.ts',
    question: {
      step: WRITE,
      text: 'Are 101 entries of one asset accepted?',
      answers: { refused: 'assumed', accepted: 'also works' },
    },
  },
  {
    id: 'ad-first',
    assumed: 'An `ad` may be the first entry; it is a warning.',
    citation: 'api-notes section 3, point 3',
    test: 'test/core/kinds/playlist/findings.test.ts',
    question: {
      step: WRITE,
      text: 'Is a list that begins with an `ad` accepted?',
      answers: { accepted: 'assumed', refused: 'also works', changed: 'also works' },
    },
  },
  {
    id: 'equal-descriptions',
    assumed: 'Two playlists may have one description.',
    citation: 'api-notes section 3, point 6',
    test: 'test/e2e/odd-accounts.test.ts',
    question: {
      step: WRITE,
      text: 'Are two playlists with one `desc` accepted?',
      answers: { accepted: 'assumed', refused: { notFor: 'declaring two playlists with one description' } },
    },
  },
  {
    id: 'delete-again',
    assumed: 'A second delete of a playlist is answered with 404 or as the first one.',
    citation: 'api-notes section 2, point 2',
    test: 'test/core/apply/execute-resend.test.ts',
    question: {
      step: WRITE,
      text: 'How is a second delete of a playlist answered?',
      answers: { 'HTTP 404': 'assumed', 'a success': 'also works', 'another status': 'also works' },
    },
  },
  {
    id: 'playlist-defaults',
    assumed: 'A response may leave out settings of a playlist that have their default, or show them as null.',
    citation: 'api-notes section 3, point 8',
    test: 'test/core/kinds/playlist/api.test.ts',
    question: {
      step: WRITE,
      text: 'Does a playlist show the settings that stand at their defaults?',
      answers: { shown: 'assumed', 'left out': 'assumed' },
    },
  },
  {
    id: 'smart-start-elements',
    assumed:
      'The lists `ss_created`, `ss_not_created` and `ss_errored` of a response about smart starts hold IDs, or objects with an `id`.',
    citation: 'api-notes section 3, point 5',
    test: 'test/core/kinds/playlist/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Which form have the elements of `ss_created`?',
      answers: { ids: 'assumed', objects: 'assumed', 'another form': { notFor: 'smart starts: their answers cannot be read' } },
    },
  },
  {
    id: 'smart-start-empty',
    assumed: 'Such a list without elements is empty or missing.',
    citation: 'api-notes section 3, point 5',
    test: 'test/core/kinds/playlist/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Is such a list present without elements?',
      answers: { present: 'assumed', missing: 'assumed' },
    },
  },
  {
    id: 'smart-start-batch',
    assumed: 'A bulk create takes as many assets as `service.smart_start_batch` says.',
    citation: 'api-notes section 3, point 7',
    setting: 'service.smart_start_batch',
    test: 'test/core/kinds/playlist/requests.test.ts',
  },
  {
    id: 'inactive',
    assumed: 'An inactive playlist cannot be played.',
    citation: 'api-notes section 3, point 4',
    test: 'test/core/kinds/playback-tables.test.ts',
  },
  {
    id: 'console',
    assumed: 'The console may change `repeat`; schedules that were filled from a playlist do not follow it.',
    citation: 'api-notes section 8, point 4',
    test: 'test/core/kinds/contract.test.ts',
  },
  {
    id: 'vmp-statuses',
    assumed: 'VMP statuses are those of Widevine; another one is a warning, and their order means nothing.',
    citation: 'api-notes section 4',
    test: 'test/core/kinds/vmp-reject-statuses/declare.test.ts',
  },
  {
    id: 'vmp-update',
    assumed: 'An update of the VMP statuses replaces the set.',
    citation: 'api-notes section 4',
    test: 'test/core/kinds/vmp-reject-statuses/index.test.ts',
  },
  {
    id: 'vmp-empty',
    assumed: 'An update with no VMP status empties the set.',
    citation: 'api-notes section 4',
    test: 'test/core/kinds/vmp-reject-statuses/index.test.ts',
  },
  {
    id: 'unset-slicers',
    assumed: 'Slicers that were never set are null or an empty list.',
    citation: 'drm-api-v3 section 2.6',
    test: 'test/core/kinds/static-key/api.test.ts',
    question: {
      step: READ,
      text: 'How are slicers shown that were never set?',
      answers: { null: 'assumed', missing: { notFor: 'the static key: its slicers cannot be read' } },
    },
  },
  {
    id: 'slicers-update',
    assumed: 'An update of the slicers with a static key replaces their list, whose order means nothing.',
    citation: 'api-notes section 5, point 6',
    test: 'test/core/kinds/static-key/api.test.ts',
  },
  {
    id: 'slicers-kept',
    assumed: "An update of the static key's status keeps the list of slicers.",
    citation: 'api-notes section 5, point 7',
    test: 'test/core/kinds/static-key/api.test.ts',
  },
  {
    id: 'scope-procedure',
    assumed: 'A call of the scope procedure of static keys that would change nothing can be left out.',
    citation: 'api-notes section 5, point 8',
    test: 'test/core/kinds/static-key/api.test.ts',
  },
  {
    id: 'unset-schedule',
    assumed: 'A rotation schedule that was never set is null, `{}` or absent.',
    citation: 'api-notes section 5, point 4',
    test: 'test/core/kinds/key-rotation-schedule/index.test.ts',
    question: {
      step: READ,
      text: 'How is a rotation schedule shown that was never set?',
      answers: { null: 'assumed', absent: 'assumed', empty: 'assumed' },
    },
  },
  {
    id: 'schedule-members',
    assumed: 'A rotation schedule has `next_rotation` in milliseconds, `enabled`, `frequency`, `unit` and `hour`.',
    citation: 'api-notes section 5, point 1',
    test: 'test/core/kinds/key-rotation-schedule/index.test.ts',
  },
  {
    id: 'schedule-errors',
    assumed: 'An `err_count` above 0 means that rotations fail.',
    citation: 'api-notes section 5, point 5',
    test: 'test/core/kinds/key-rotation-schedule/index.test.ts',
  },
  {
    id: 'schedule-moves',
    assumed: 'The service moves `next_rotation` by itself.',
    citation: 'api-notes section 5, point 3',
    test: 'test/core/kinds/key-rotation-schedule/index.test.ts',
  },
  {
    id: 'schedule-off',
    assumed: 'A rotation schedule can be switched off without its other settings.',
    citation: 'api-notes section 5, point 1',
    test: 'test/core/kinds/key-rotation-schedule/index.test.ts',
  },
  {
    id: 'schedule-update',
    assumed: 'An update of the rotation schedule may keep what it does not send, or reset it.',
    citation: 'api-notes section 5, point 9',
    test: 'test/core/kinds/key-rotation-schedule/index.test.ts',
  },
  {
    id: 'schedule-answer',
    assumed: 'The answer to an update of the rotation schedule shows the schedule, or none.',
    citation: 'api-notes section 5, point 2',
    test: 'test/core/kinds/key-rotation-schedule/index.test.ts',
  },
  {
    id: 'abridged-policies',
    assumed: 'A response may leave out settings of a policy that have their default.',
    citation: 'api-notes section 6, point 4',
    test: 'test/core/kinds/contract.test.ts',
    question: {
      step: WRITE,
      text: 'Does a policy show the settings that stand at their defaults?',
      answers: { shown: 'assumed', 'left out': 'assumed' },
    },
  },
  {
    id: 'license-begin',
    assumed: '`license_begin_seconds` may be missing in a list.',
    citation: 'api-notes section 6, point 2',
    test: 'test/core/kinds/drm-policy/api.test.ts',
    question: {
      step: WRITE,
      text: 'Does the list show a `license_begin_seconds` that is not the default?',
      answers: { shown: 'assumed', 'not shown': 'also works' },
    },
  },
  {
    id: 'policy-update',
    assumed: 'An update of a policy resets what it does not send.',
    citation: 'api-notes section 6, point 3',
    test: 'test/core/kinds/drm-policy/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Does an update of a policy reset what it does not send?',
      answers: {
        resets: 'assumed',
        keeps: { notFor: 'removing settings from DRM policies: the service keeps what an update does not send' },
        'does something else': { notFor: 'updating DRM policies' },
      },
    },
  },
  {
    id: 'policy-rename',
    assumed: 'An update with `_id` and another name renames a policy.',
    citation: 'api-notes section 6, point 8',
    test: 'test/core/kinds/drm-policy/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Does an update with `_id` and another name rename a policy?',
      answers: {
        renames: 'assumed',
        'creates another': { notFor: 'renaming DRM policies: an update with another name creates another policy' },
      },
    },
  },
  {
    id: 'policy-names',
    assumed: 'The names of two policies may differ only in case.',
    citation: 'api-notes section 6, point 8',
    test: 'test/core/kinds/drm-policy/api.test.ts',
  },
  {
    id: 'policy-answers',
    assumed: 'The answer to a write of a policy shows that policy.',
    citation: 'api-notes section 6, point 1',
    test: 'test/core/kinds/drm-policy/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Which policies does the answer to a write show?',
      answers: {
        all: 'assumed',
        'the written one': 'also works',
        'not the written one': { notFor: 'writing DRM policies: their answers cannot be read' },
      },
    },
  },
  {
    id: 'policy-times',
    assumed: '`created` and `lastmod` of a new policy differ by at most a second.',
    citation: 'api-notes section 6, point 7',
    test: 'test/core/kinds/drm-policy/requests.test.ts',
    question: {
      step: WRITE,
      text: 'Do `created` and `lastmod` of a new policy agree?',
      answers: {
        'within a second': 'assumed',
        apart: { notFor: 'creating DRM policies: each create looks like the update of another policy' },
        missing: 'also works',
      },
    },
  },
  {
    id: 'policy-delete-again',
    assumed: 'A second delete of a policy is an error, or answered as the first one.',
    citation: 'api-notes section 2, point 3',
    test: 'test/core/apply/execute-resend.test.ts',
    question: {
      step: WRITE,
      text: 'How is a second delete of a policy answered?',
      answers: { error: 'assumed', 'HTTP 404': 'assumed', 'a success': 'also works', 'another status': 'also works' },
    },
  },
  {
    id: 'policy-name-reuse',
    assumed: 'The name of a deleted policy can be used again.',
    citation: 'api-notes section 8, point 3',
    test: 'test/core/plan/schedule.test.ts',
    question: {
      step: WRITE,
      text: 'Can the name of a deleted policy be used again?',
      answers: { accepted: 'assumed', refused: { notFor: 'giving a new policy the name of a deleted one' } },
    },
  },
  {
    id: 'lookup-form',
    assumed: 'A lookup of assets by v2 answers with a list, or with a map from ID to asset.',
    citation: 'api-notes section 7, point 1',
    setting: 'service.reference_api',
    test: 'test/core/kinds/references.test.ts',
    question: {
      step: READ,
      text: 'How does v2 answer a lookup of assets?',
      answers: { list: 'assumed', object: 'assumed', refused: { setting: 'service.reference_api', value: 'v4' } },
    },
  },
  {
    id: 'lookup-v4',
    assumed: 'The lists of assets and slicers of v4 are whole, with `items` and `total_items`.',
    citation: 'api-notes section 7, point 1',
    setting: 'service.reference_api',
    test: 'test/core/kinds/references.test.ts',
  },
  {
    id: 'lookup-slicers',
    assumed: 'Slicers are looked up as assets are; those of other users cannot be.',
    citation: 'api-notes section 7, point 3',
    test: 'test/core/kinds/static-key/slicer-references.test.ts',
  },
  {
    id: 'external-ids',
    assumed: 'A lookup by external IDs shows `id` and `external_id` of each asset.',
    citation: 'api-notes section 7, point 9',
    test: 'test/core/kinds/playlist/external-ids.test.ts',
  },
  {
    id: 'asset-facts',
    assumed: '`duration` and offsets of an asset are seconds, `autoexpire` is hours, and `created` a Unix time or RFC 3339.',
    citation: 'api-notes section 7, point 7',
    test: 'test/core/model/asset.test.ts',
  },
  {
    id: 'asset-retention',
    assumed: 'The retention of an asset counts from what `service.retention_from` says.',
    citation: 'api-notes section 7, point 8',
    setting: 'service.retention_from',
    test: 'test/e2e/assets.test.ts',
  },
  {
    id: 'asset-states',
    assumed: 'An asset can be played in the states of `service.asset_ready_states`.',
    citation: 'api-notes section 7, point 8',
    setting: 'service.asset_ready_states',
    test: 'test/e2e/assets.test.ts',
  },
];
