// What lets a bare script in: `msg` is compressed JSON, `sig` its HMAC under the key of the account in the environment.
import { createHmac } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** The query of one request; each is different, since none may be sent twice. */
export function signature() {
  const message = { _owner: process.env.UPKEEP_OWNER, _timestamp: Math.floor(Date.now() / 1000), nonce: Math.random() };
  const msg = deflateSync(JSON.stringify(message)).toString('base64');
  return new URLSearchParams({
    msg,
    sig: createHmac('sha256', process.env.UPKEEP_API_KEY ?? '')
      .update(msg)
      .digest('hex'),
  });
}
