// A service that bears only so many requests a second: what comes beyond is refused with 429, the rest is passed on as it is.
import { createServer, request } from 'node:http';

const SECOND_MS = 1000;

/** Starts it in front of another service: the times of all arrivals in milliseconds, and how many were refused. */
export async function throttled(url, perSecond) {
  const arrivals = [];
  const served = [];
  const refused = { count: 0 };
  const server = createServer((incoming, outgoing) => {
    const now = performance.now();
    arrivals.push(now);
    while (served.length > 0 && served[0] <= now - SECOND_MS) served.shift();
    if (served.length >= perSecond) {
      refused.count++;
      incoming.resume();
      outgoing.writeHead(429, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    served.push(now);
    const { method, headers, url: path } = incoming;
    const passed = request(`${url}${path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    arrivals,
    refused,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
