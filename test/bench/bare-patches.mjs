// The least that an apply has to do, as a bare script: so many PATCHes, so many at a time. Arguments: the URL, how many at a time, and the IDs.
// It prints the seconds from the first to the last answer.
import { Agent, request } from 'node:http';
import { signature } from './signature.mjs';

const [url = '', width = '1', ...ids] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

function patch(id) {
  return new Promise((resolve, reject) => {
    const options = { method: 'PATCH', agent, headers: { 'content-type': 'application/json' } };
    const sent = request(`${url}/api/v4/linear-playlist/${id}?${signature()}`, options, (answer) => answer.resume().on('end', resolve));
    sent.on('error', reject).end('{"repeat":2}');
  });
}

async function work() {
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) await patch(id);
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(width) }, work));
process.stdout.write(`${(performance.now() - started) / 1000}\n`);
agent.destroy();
