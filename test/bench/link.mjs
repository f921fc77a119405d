// The list of all playlists over a link of 100 Mbit/s with a round trip of 50 ms: how long the built command line waits for it and reads it.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { seedOf, writeProject, writeSources } from './account.mjs';
import { measured, median, PROGRAM, startEmulator } from './process.mjs';

const BYTES_PER_MS = 100e6 / 8 / 1000;
const ROUND_TRIP_MS = 50;
const LIST = '/api/v4/linear-playlist';
/** Between two writes. */
const TICK_MS = 4;
/** What the link may make up where this machine was late, so that the speed is kept over any longer time. */
const LATE_MS = 200;

/**
 * Starts a link in front of a service. Every answer takes a round trip, and so does every new connection, and no more bytes pass than the link
 * bears. What the service answered first is answered again, so that its own time does not count; it is compressed where that is accepted.
 */
async function shaped(url) {
  const answers = new Map();
  const met = new WeakSet();
  let freeAt = 0;
  const answerOf = async ({ method, url: path, headers }) => {
    const name = path.split('?')[0];
    if (!answers.has(name)) {
      const answer = await fetch(url + path, { method, headers: { 'accept-encoding': 'identity' } });
      const plain = Buffer.from(await answer.arrayBuffer());
      answers.set(name, { status: answer.status, plain, gzip: gzipSync(plain) });
    }
    const { status, plain, gzip } = answers.get(name);
    const compressed = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
    return { status, headers: compressed ? { 'content-encoding': 'gzip' } : {}, bytes: compressed ? gzip : plain };
  };
  const server = createServer(async (incoming, outgoing) => {
    const { status, headers, bytes } = await answerOf(incoming);
    await sleep(ROUND_TRIP_MS * (met.has(incoming.socket) ? 1 : 2));
    met.add(incoming.socket);
    outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
    for (let sent = 0; sent < bytes.length; ) {
      const now = performance.now();
      // Several answers share the link: each takes its turn for one tick.
      const part = bytes.subarray(sent, sent + BYTES_PER_MS * TICK_MS);
      freeAt = Math.max(freeAt, now - LATE_MS) + part.length / BYTES_PER_MS;
      if (freeAt > now) await sleep(freeAt - now);
      outgoing.write(part);
      sent += part.length;
    }
    outgoing.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Bytes of an answer, plain and compressed. */
    sizeOf: (path) => ({ plain: answers.get(path)?.plain.length, gzip: answers.get(path)?.gzip.length }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Measures the arrival of the list: the row, and what it says of the target. */
export async function link(folder, { runs, playlists = 100_000 }) {
  writeSources(folder, { playlists: 1, smartStarts: 0, policies: 0 });
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seedOf({ playlists, smartStarts: 0, policies: 0 })));
  const emulator = await startEmulator(folder, 'seed.json');
  const network = await shaped(emulator.url);
  writeProject(folder, network.url);
  const seconds = [];
  const all = [];
  for (let run = 0; run <= runs; run++) {
    // It reads every list once, and does nothing else with them.
    const one = await measured([PROGRAM, 'doctor', '--log-level', 'debug', '--log-format', 'json'], { cwd: folder });
    const entries = one.stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    const [list] = entries.filter(({ path, status }) => path === LIST && status === 200);
    if (list === undefined) throw new Error(`the list did not arrive:\n${one.stderr.slice(0, 2000)}`);
    if (run === 0) continue;
    seconds.push(list.tookMs / 1000);
    all.push(one);
  }
  const { plain, gzip } = network.sizeOf(LIST);
  await network.stop();
  await emulator.stop();
  const name = `list of ${playlists} playlists over 100 Mbit/s and 50 ms (shaped)`;
  console.error(`${name}: ${(plain / 1e6).toFixed(1)} MB, compressed ${(gzip / 1e6).toFixed(1)} MB`);
  const middle = (figure) => median(all.map((one) => one[figure]));
  const wall = median(seconds);
  return {
    measures: [{ name, wall, cpu: middle('cpu'), mib: middle('mib'), requests: 1 }],
    targets: [{ name: `${name}: seconds`, value: wall, most: 1.5 }],
  };
}
