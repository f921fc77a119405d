/** Scoped keys: their file, their tokens, and what a request with them carries. */
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import type { PostForm } from '../../../src/core/api-client/api-version.ts';
import { createRedactor } from '../../../src/core/api-client/redact.ts';
import { parseScopedKey, ScopedKeyError, signToken } from '../../../src/core/api-client/scoped-key.ts';
import { anyText, assertProperty } from '../../support/property.ts';
import { scopedKey } from '../../support/scoped-keys.ts';
import { CREATE_V4, createTestClient, DELETE_V4, decodeMessage, OWNER, READ_V3, READ_V4, START, UPDATE_V3, UPDATE_V4 } from './harness.ts';
import { listening } from './servers.ts';

const { file, pem, emulated } = scopedKey('key-1', ['a:read', 'a:write']);
const { key, secrets } = parseScopedKey(file);

describe('the token of a scoped key', () => {
  it('is verified by another implementation, with the header and the claims that the service expects', async () => {
    const token = signToken(key, START + 999);
    const { payload, protectedHeader } = await jwtVerify(token, await importSPKI(emulated.publicKey, 'ES256'), {
      currentDate: new Date(START),
      algorithms: ['ES256'],
    });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'key-1' });
    const iat = START / 1000;
    expect(payload).toEqual({ sub: 'subject-of-key-1', scp: ['a:read', 'a:write'], iat, exp: iat + 300 });
  });

  it('differs from every other one, also in the same second', () => {
    const tokens = Array.from({ length: 20 }, () => signToken(key, START));
    expect(new Set(tokens).size).toBe(20);
    expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid))).toEqual(new Set(['key-1']));
  });
});

describe('the file of a scoped key', () => {
  const withBase64 = (change: (base64: string) => string): string =>
    file.replace(/^PRIVATE_B64=(.*)$/m, (_line, base64) => `PRIVATE_B64=${change(base64)}`);
  const withKey = (text: string): string => withBase64(() => Buffer.from(text).toString('base64'));
  /** The private key with so many line ends that its base64 ends with `==`. */
  const padded = pem.trimEnd().padEnd(Math.ceil(pem.length / 3) * 3 + 1, '\n');

  it.each([
    ['with Windows line ends, comments and blank lines', file.replaceAll('\n', '\r\n').concat('\r\n# end\r\n')],
    ['with quotes', file.replace(/^(SUB|SCP)=(.*)$/gm, '$1="$2"').replace(/^KID=(.*)$/m, "KID='$1'")],
    ['with scopes between spaces', file.replace('a:read,a:write', 'a:read a:write')],
    ['with scopes as JSON', file.replace('a:read,a:write', '["a:read","a:write"]')],
    ['with members that nobody knows', `${file}NAME=my key\nCREATED=2026-01-01\n`],
    ['with blanks around values', file.replace(/^(KID|SUB|SCP)=(.*)$/gm, '$1=\t$2  ')],
    ['with blanks after quotes', file.replace(/^(KID|SUB|SCP)=(.*)$/gm, '$1="$2" \t')],
    ['with blank lines of spaces, and comments after spaces', `  \n${file}\t# the end\n`],
    ['with a private key that ends without a new line', withKey(pem.trimEnd())],
    ['with a private key that ends in blank lines', withKey(`${pem}\n\n`)],
  ])('is read %s', (_name, text) => {
    expect(parseScopedKey(text).key).toMatchObject({
      id: 'key-1',
      subject: 'subject-of-key-1',
      scopes: ['a:read', 'a:write'],
      endsAt: null,
    });
  });

  it('has a quote in a value where it does not surround it', () => {
    const text = file.replace('SUB=', "SUB='first'").replace('KID=', 'KID="');
    expect(parseScopedKey(text).key).toMatchObject({ id: '"key-1', subject: "'first'subject-of-key-1" });
  });

  it('may have names of 256 characters, and 100 scopes', () => {
    const long = 'x'.repeat(256);
    const scopes = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(256, ':'));
    const text = file.replace(/^KID=.*$/m, `KID=${long}`).replace(/^SUB=.*$/m, `SUB=${long}`);
    for (const written of [scopes.join(','), JSON.stringify(scopes)]) {
      expect(parseScopedKey(text.replace(/^SCP=.*$/m, `SCP=${written}`)).key).toMatchObject({ id: long, subject: long, scopes });
    }
  });

  it.each([
    ['1800000000', 1_800_000_000_000],
    ['2027-01-02', Date.UTC(2027, 0, 2)],
    ['2027-01-02T03:04:05Z', Date.UTC(2027, 0, 2, 3, 4, 5)],
    ['', null],
  ])('may say when the key ends: EXP=%s', (text, endsAt) => {
    expect(parseScopedKey(`${file}EXP=${text}\n`).key.endsAt).toBe(endsAt);
  });

  const other = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it.each<readonly [name: string, text: string, message: string]>([
    ['an API key', 'CanaryKey/Which+Nobody=May0See', 'is not the file of a scoped key: line 1 is not NAME=VALUE'],
    ['a line without a name', `${file}CANARY\n`, 'is not the file of a scoped key: line 6 is not NAME=VALUE'],
    ['no members', 'A=b', 'is not the file of a scoped key: it has no KID, SUB, PRIVATE_B64, SCP'],
    ['no key ID', file.replace(/^KID.*$/m, ''), 'is not the file of a scoped key: it has no KID'],
    ['a name after another word', `${file}export EXP=1800000000\n`, 'is not the file of a scoped key: line 6 is not NAME=VALUE'],
    ['a member twice', `${file}SUB=other\n`, 'says SUB twice, in line 6 again'],
    ['another member twice', `${file}CANARY=x\n\nCANARY=y\n`, 'says a name twice, in line 8 again'],
    [
      'blanks within quotes',
      file.replace(/^SUB=(.*)$/m, 'SUB=" $1"'),
      'holds a SUB that is empty, too long, or not plain ASCII without spaces',
    ],
    [
      'a name that is too long',
      file.replace('key-1', 'x'.repeat(257)),
      'holds a KID that is empty, too long, or not plain ASCII without spaces',
    ],
    ['a name in other letters', file.replace('KID=', 'KID=é'), 'holds a KID that is empty, too long, or not plain ASCII without spaces'],
    ['an empty subject', file.replace(/^SUB=.*$/m, 'SUB='), 'holds a SUB that is empty, too long, or not plain ASCII without spaces'],
    ['a control character', file.replace('key-1', 'key\u0007'), 'holds a KID that is empty, too long, or not plain ASCII without spaces'],
    ['no scopes', file.replace(/^SCP=.*$/m, 'SCP=,'), 'holds an SCP that is not a list of scopes'],
    ['scopes that are no texts', file.replace(/^SCP=.*$/m, 'SCP=["a",1]'), 'holds an SCP that is not a list of scopes'],
    ['101 scopes', file.replace(/^SCP=.*$/m, `SCP=${'a,'.repeat(101)}`), 'holds an SCP that is not a list of scopes'],
    ['a scope that is too long', file.replace(/^SCP=.*$/m, `SCP=${'a'.repeat(257)}`), 'holds an SCP that is not a list of scopes'],
    ['an empty scope', file.replace(/^SCP=.*$/m, 'SCP=["a",""]'), 'holds an SCP that is not a list of scopes'],
    ['a scope of two words', file.replace(/^SCP=.*$/m, 'SCP=["a b"]'), 'holds an SCP that is not a list of scopes'],
    ['scopes in broken JSON', file.replace(/^SCP=.*$/m, 'SCP=["a"'), 'holds an SCP that is not a list of scopes'],
    [
      'a key that is no base64',
      file.replace('PRIVATE_B64=', 'PRIVATE_B64=!'),
      'holds a PRIVATE_B64 that is not base64 of a PKCS#8 private key in PEM form',
    ],
    ['a public key', withKey(emulated.publicKey), 'holds a PRIVATE_B64 that is not base64 of a PKCS#8 private key in PEM form'],
    ['a key on another curve', withKey(other), 'holds a PRIVATE_B64 that is no key of ES256 (an EC key on the curve P-256)'],
    ['an RSA key', withKey(rsa), 'holds a PRIVATE_B64 that is no key of ES256 (an EC key on the curve P-256)'],
    [
      'a damaged key',
      withKey(pem.replace(/\nM.{20}/, '\nAAAAAAAAAAAAAAAAAAAAA')),
      'holds a PRIVATE_B64 that is no key of ES256 (an EC key on the curve P-256)',
    ],
    ['an end that is no time', `${file}EXP=never\n`, 'holds an EXP that is neither Unix seconds nor a date'],
  ])('is refused with the reason, and without its content: %s', (_name, text, message) => {
    expect(() => parseScopedKey(text)).toThrow(new ScopedKeyError(message));
  });

  it.each([
    ['base64 after other characters', withBase64((base64) => `!!!!${base64}`)],
    ['base64 before other characters', withBase64((base64) => `${base64}!!!!`)],
    ['base64 without its padding', withKey(padded).replace(/==$/m, '')],
    ['base64 in several words', withBase64((base64) => `${base64.slice(0, 40)}    ${base64.slice(40)}`)],
    ['a text before the key', withKey(`Bag Attributes\n${pem}`)],
    ['a text after the key', withKey(`${pem}CANARY`)],
    ['two keys', withKey(pem + pem)],
  ])('is refused where its private key is not one PEM alone, of which all texts are known to be hidden: %s', (_name, text) => {
    const message = 'holds a PRIVATE_B64 that is not base64 of a PKCS#8 private key in PEM form';
    expect(() => parseScopedKey(text)).toThrow(new ScopedKeyError(message));
  });

  it.each(['until 2027-01-02', '2027-13-45', '180000000000', '-1', '1e9'])('is refused where it ends at %j', (text) => {
    const message = 'holds an EXP that is neither Unix seconds nor a date';
    expect(() => parseScopedKey(`${file}EXP=${text}\n`)).toThrow(new ScopedKeyError(message));
  });

  it('of any content is read or refused, and never quoted', () => {
    const line = fc.oneof(
      fc.constantFrom(...file.split('\n')),
      anyText(),
      fc.constantFrom('KID=', 'SCP=[', 'EXP=1e9', '=', 'PRIVATE_B64=AAAA'),
    );
    assertProperty(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        try {
          parseScopedKey(lines.join('\n'));
        } catch (error) {
          if (!(error instanceof ScopedKeyError)) throw error;
          expect(error.message).toMatch(/^(is not the file|says|holds)[\w #(),:.=-]*$/);
        }
      }),
    );
  });

  it('names its private key in every form that must not be shown, and the key itself shows nothing', () => {
    const base64 = Buffer.from(pem).toString('base64');
    const [, ...lines] = pem.split('\n').slice(0, -2);
    expect(secrets.slice(0, 3)).toEqual([base64, pem, lines.join('')]);
    const shown = inspect(key, { depth: 20, showHidden: true }) + JSON.stringify(key);
    for (const secret of secrets) expect(shown).not.toContain(secret.slice(10, 25));
  });

  it('is hidden by what is private in it, in each line of the file, and not by what all keys have in common or what is public', () => {
    const hide = createRedactor(secrets);
    const [, first = '', second = '', third = ''] = pem.split('\n');
    const number = Buffer.from(first + second, 'base64').subarray(36, 68);
    expect([hide(`x ${first} x`), hide(`x ${second} x`), hide(`x ${(first + second).slice(50, 88)} x`)]).toEqual(
      Array(3).fill('x [hidden] x'),
    );
    expect(hide(`x ${Buffer.from(number).toString('base64').slice(0, 30)} x`)).toBe('x [hidden] x');
    expect(hide(`x ${Buffer.from(second).toString('base64')} x`)).toBe('x [hidden] x');
    const known = [
      first.slice(0, 48),
      third,
      second.slice(28) + third,
      `${first.slice(0, 48)}A`,
      Buffer.from(`-----BEGIN PRIVATE KEY-----\n${first.slice(0, 48)}`).toString('base64'),
    ];
    for (const text of known) expect(hide(`x ${text} x`)).toBe(`x ${text} x`);
  });
});

describe('a request with a scoped key', () => {
  /** Sends a request and returns what arrived. */
  async function arrived(request: typeof READ_V4, scopedKeyV3Post?: PostForm) {
    const seen: { url: string; token: string; type: string | undefined; body: string }[] = [];
    const baseUrl = await listening(async (message, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of message) chunks.push(chunk);
      const token = message.headers['x-auth-uplynk-jwt']?.toString() ?? '';
      seen.push({ url: message.url ?? '', token, type: message.headers['content-type'], body: Buffer.concat(chunks).toString() });
      response.end('{"error":0}');
    });
    const { service } = createTestClient({
      baseUrl,
      credentials: { owner: OWNER, scopedKey: key },
      ...(scopedKeyV3Post ? { scopedKeyV3Post } : {}),
    });
    await service.send(request);
    await service.close();
    const [only] = seen;
    if (!only) throw new Error('nothing arrived');
    expect(decodeProtectedHeader(only.token).kid).toBe('key-1');
    return only;
  }

  it.each([READ_V4, READ_V3, DELETE_V4])('$method $path has neither msg nor sig, nor a body', async (request) => {
    expect(await arrived(request)).toMatchObject({ url: request.path, body: '', type: undefined });
  });

  it('keeps filters in the query', async () => {
    expect((await arrived({ ...READ_V4, query: { desc: 'a b' } })).url).toBe('/api/v4/things?desc=a%20b');
  });

  it.each([CREATE_V4, UPDATE_V4])('$method $path has its data as JSON, and no msg', async (request) => {
    expect(await arrived(request)).toMatchObject({ url: request.path, body: JSON.stringify(request.body), type: 'application/json' });
  });

  it('POST of v3 has its item as JSON, or in the message of a form without a signature', async () => {
    expect(await arrived(UPDATE_V3)).toMatchObject({ url: UPDATE_V3.path, body: JSON.stringify(UPDATE_V3.body), type: 'application/json' });
    const { url, body, type } = await arrived(UPDATE_V3, 'form');
    expect([url, type]).toEqual([UPDATE_V3.path, 'application/x-www-form-urlencoded']);
    const form = new URLSearchParams(body);
    expect([...form.keys()]).toEqual(['msg']);
    expect(decodeMessage(form.get('msg'))).toMatchObject({ _owner: OWNER, item: UPDATE_V3.body });
  });
});

describe('`signature_in: header`', () => {
  it.each([READ_V3, UPDATE_V4])('$method $path has the signature in `Authorization`, and nothing in the query', async (request) => {
    const headers: (string | undefined)[] = [];
    const baseUrl = await listening((message, response) => {
      headers.push(message.headers.authorization);
      expect(message.url).toBe(request.path);
      message.resume().on('end', () => response.end('{"error":0}'));
    });
    const { service } = createTestClient({ baseUrl, signatureIn: 'header' });
    await service.send(request);
    await service.close();
    const [msg = '', sig] = headers[0]?.split(' ') ?? [];
    expect(decodeMessage(msg)).toMatchObject({ _owner: OWNER });
    expect(sig).toMatch(/^[0-9a-f]{64}$/);
  });
});
