/** Requests on kept-alive connections, signed as api-notes section 1 says. */
import { Agent, request } from 'node:http';
import { sign } from '../independent-client.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const agent = new Agent({ keepAlive: true });

/** Closes the connections that wait for more. */
export function closeConnections(): void {
  agent.destroy();
}

function send(url: string, method: string, path: string, query: object, body = ''): Promise<Answer> {
  const search = new URLSearchParams({ ...query }).toString();
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}${search === '' ? '' : `?${search}`}`, { method, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (!answer.complete) reject(new Error('the answer is cut off'));
        else resolve({ status: answer.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
      });
    });
    sent.on('error', reject);
    if (body !== '') sent.setHeader('content-type', path.startsWith('/api/v3') ? 'application/x-www-form-urlencoded' : 'application/json');
    sent.end(body === '' ? undefined : body);
  });
}

/** A request as it is signed once; sent again it is a replay. */
export type Call = (url: string) => Promise<Answer>;

/** A request that is signed now; v3 sends its data as `item` inside the message of a form, v4 as JSON. */
export function signed(method: string, path: string, data?: object): Call {
  if (path.startsWith('/api/v3') && method === 'POST') {
    const form = new URLSearchParams(sign({ item: data })).toString();
    return (url) => send(url, method, path, {}, form);
  }
  const query = sign();
  return (url) => send(url, method, path, query, data === undefined ? '' : JSON.stringify(data));
}
