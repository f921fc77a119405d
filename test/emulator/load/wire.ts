/** Sends requests on kept-alive connections, signed as api-notes section 1 defines. */
import { Agent, request } from 'node:http';
import { sign } from '../independent-client.ts';

/** A response with its parsed body. */
export interface LoadResponse {
  readonly status: number;
  readonly body: unknown;
}

const agent = new Agent({ keepAlive: true });

/** Closes the idle connections. */
export function closeConnections(): void {
  agent.destroy();
}

function send(url: string, method: string, path: string, query: object, body = ''): Promise<LoadResponse> {
  const search = new URLSearchParams({ ...query }).toString();
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}${search === '' ? '' : `?${search}`}`, { method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (!response.complete) reject(new Error('the response is incomplete'));
        else resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
      });
    });
    outgoing.on('error', reject);
    if (body !== '')
      outgoing.setHeader('content-type', path.startsWith('/api/v3') ? 'application/x-www-form-urlencoded' : 'application/json');
    outgoing.end(body === '' ? undefined : body);
  });
}

/** Sends a request that was signed once; every further call is a replay. */
export type SendSigned = (url: string) => Promise<LoadResponse>;

/** Signs a request now; v3 sends its data as `item` inside the message of a form, v4 as JSON. */
export function signed(method: string, path: string, data?: object): SendSigned {
  if (path.startsWith('/api/v3') && method === 'POST') {
    const form = new URLSearchParams(sign({ item: data })).toString();
    return (url) => send(url, method, path, {}, form);
  }
  const query = sign();
  return (url) => send(url, method, path, query, data === undefined ? '' : JSON.stringify(data));
}
