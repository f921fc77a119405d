/** Proves who sends an attempt: by the signature of an API key, or by the token of a scoped key. */
import { type ScopedKey, signToken } from './scoped-key.ts';
import { type Members, messageOf, type SigningKey, sign } from './sign.ts';

/** The user ID of an account, and a key. */
export type ApiCredentials = SigningKey | { readonly owner: string; readonly scopedKey: ScopedKey };

/** What proves who sends an attempt, by its place. Not yet encoded. */
export interface Proof {
  /** Parameters of the form body, or else of the query. */
  readonly parameters: { readonly [name: string]: string };
  readonly headers: { readonly [name: string]: string };
}

/** Where the signature of an API key stands, unless a form holds it. */
export type SignatureIn = 'query' | 'header';

/** What of a request the proof of an attempt depends on. */
export interface Proven {
  /** What is signed beside owner and time. */
  readonly members: Members;
  /** Whether proof and data stand in a form body. */
  readonly inForm: boolean;
  readonly signatureIn: SignatureIn;
}

/** Builds the proof of one attempt at `now` (Unix milliseconds). No two are alike (design section 4, rule 11). */
export function createProof(credentials: ApiCredentials, now: number, { members, inForm, signatureIn }: Proven): Proof {
  if ('scopedKey' in credentials) {
    const headers = { 'x-auth-uplynk-jwt': signToken(credentials.scopedKey, now) };
    return { parameters: inForm ? { msg: messageOf(credentials.owner, now, members) } : {}, headers };
  }
  const { msg, sig } = sign(credentials, now, members);
  if (inForm || signatureIn === 'query') return { parameters: { msg, sig }, headers: {} };
  return { parameters: {}, headers: { authorization: `${msg} ${sig}` } };
}

/** Returns the texts of a proof that must not be shown. */
export function secretsOf({ parameters, headers }: Proof): readonly string[] {
  return [...Object.values(parameters), ...Object.values(headers)].flatMap((text) => text.split(' '));
}
