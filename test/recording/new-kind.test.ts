/** A kind whose paths and answers have words that no other kind has can be recorded and replayed. */
import { expect, test } from 'vitest';
import { createApiClient } from '../../src/core/api-client/client.ts';
import type { ObserveExchange } from '../../src/core/api-client/transport.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import type { KindWords } from '../../src/core/kinds/recording.ts';
import type { EmulatedKind } from '../../src/emulator/contract.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { startReplay } from '../../src/emulator/replay-server.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { KIND_WORDS } from '../../src/recording/kind-words.ts';
import { createVocabulary, type Vocabulary } from '../../src/recording/vocabulary.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { API_KEY, OWNER } from '../support/harness.ts';
import { documentOf, missingWords, NOW, recorderOf } from './support.ts';

/** GET of one boolean, at a path with a word of its own. */
const emulatedFoo: EmulatedKind = {
  name: 'foo',
  routes: [{ method: 'GET', path: '/api/v3/drm/foo', apiVersion: 'v3', handle: () => ({ status: 200, body: { is_foo: true } }) }],
  seed: () => undefined,
  dump: () => null,
};
const FOO_SCHEMA = { properties: { foo: { type: 'boolean' } } };
const FOO_WORDS = { paths: ['/api/v3/drm/foo'], booleans: ['is_foo'] };

/** Returns the vocabulary of all kinds and the new one, with these words of it. */
function vocabularyWith(...words: readonly KindWords[]): Vocabulary {
  return createVocabulary([...kinds.map(({ schema }) => schema), FOO_SCHEMA], [...KIND_WORDS, ...words]);
}

/** Reads the kind as a client does. */
async function readFoo(baseUrl: string, observe?: ObserveExchange): Promise<unknown> {
  const http = { concurrency: 1, requestsPerSecond: 0, timeoutSeconds: 10, giveUpSeconds: 0, maxBodyMib: 1 };
  const credentials = { owner: OWNER, apiKey: API_KEY };
  const client = createApiClient({ baseUrl, credentials, http, v3Post: 'form', now: () => NOW, observe });
  cleanUpAfterTest(client.close);
  return (await client.send({ method: 'GET', path: '/api/v3/drm/foo', repeatable: true })).body;
}

test('the recording of a new kind is answered when it is replayed', async () => {
  const account = { emulatedKinds: [...emulatedKinds, emulatedFoo], accounts: [{ owner: OWNER, apiKey: API_KEY }], now: () => NOW };
  const emulator = await startEmulator(account);
  cleanUpAfterTest(emulator.close);
  const recorder = recorderOf({ vocabulary: vocabularyWith(FOO_WORDS) });
  const answered = await readFoo(emulator.url, recorder.observe);
  const unrecorded: string[] = [];
  const onUnrecorded = (request: string): void => void unrecorded.push(request);
  const replay = { recording: documentOf(recorder), owner: OWNER, host: '127.0.0.1', port: 0, now: () => NOW, onUnrecorded };
  const server = await startReplay(replay);
  cleanUpAfterTest(server.close);
  expect(await readFoo(server.url)).toEqual(answered);
  expect(unrecorded).toEqual([]);
});

test('the contract suite names the words that the recording of a new kind lacks, and the file to write', () => {
  expect(missingWords(emulatedFoo, vocabularyWith())).toEqual([
    'a recording replaces foo in GET /api/v3/drm/foo, and cannot be replayed: ' +
      'write src/core/kinds/foo/recording.ts and list it in src/recording/kind-words.ts',
  ]);
  expect(missingWords(emulatedFoo, vocabularyWith(FOO_WORDS))).toEqual([]);
});
