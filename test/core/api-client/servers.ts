import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { createTestClient, type Settings, type TestClient } from './harness.ts';

/** A server on a free port of this machine. */
export function listening(listener: RequestListener): Promise<string> {
  return listeningOn(createServer(listener));
}

/** The same for a server that is made already. */
export async function listeningOn(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUpAfterTest(() => closed(server));
  return `http://127.0.0.1:${portOf(server)}`;
}

/** Returns the address of a server that was closed again, so that nothing listens there. */
export async function unreachableAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await closed(server);
  return `http://127.0.0.1:${port}`;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

/** A createTestClient on the real agent of the service. */
export async function against(listener: RequestListener, settings: Settings = {}): Promise<TestClient> {
  const set = createTestClient({ baseUrl: await listening(listener), http: { giveUpSeconds: 0.5 }, ...settings });
  cleanUpAfterTest(() => set.service.close());
  return set;
}
