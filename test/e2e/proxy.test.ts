/** The built program behind a corporate proxy: TLS to the service runs through the tunnel that HTTPS_PROXY names. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { asPlan } from '../support/documents.ts';
import { API_KEY, createTestProject, OWNER, temporaryFolder } from '../support/harness.ts';
import { config, manyPlaylists } from './accounts.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

function joined(a: Socket, b: Socket): void {
  for (const socket of [a, b]) socket.on('error', () => undefined);
  a.pipe(b).pipe(a);
}

test('a plan works through an HTTP proxy', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(2) }));
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=services.example.com', '-addext', 'subjectAltName=DNS:services.example.com'];
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const tls = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) =>
    joined(socket, connect(Number(new URL(project.emulator.url).port), '127.0.0.1')),
  );
  const tlsPort = await listening(tls);
  const connectTargets: (string | undefined)[] = [];
  const proxy = createServer().on('connect', (incoming, socket) => {
    connectTargets.push(incoming.url);
    const service = connect(tlsPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      service.pipe(socket).pipe(service);
    });
    for (const each of [service, socket]) each.on('error', () => undefined);
  });
  const env = {
    ...process.env,
    UPKEEP_OWNER: OWNER,
    UPKEEP_API_KEY: API_KEY,
    NODE_EXTRA_CA_CERTS: cert,
    HTTPS_PROXY: `http://127.0.0.1:${await listening(proxy)}`,
    https_proxy: '',
    NO_PROXY: '',
    no_proxy: '',
  };
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, 'base_url: https://services.example.com'));
  const child = spawn(process.execPath, [PROGRAM, 'plan', '--format', 'json'], {
    cwd: project.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  for (const server of [tls, proxy]) server.close();
  expect([code, stderr]).toEqual([0, '']);
  expect(asPlan(JSON.parse(stdout)).summary.create).toBe(2);
  expect(new Set(connectTargets)).toEqual(new Set(['services.example.com:443']));
});
