/** Another host, to which redirects lead. */
import { createServer } from 'node:http';

/** Where redirects lead; nothing may ever arrive there. */
export interface RedirectHost {
  /** Under another name than the emulator's. */
  readonly url: string;
  /** Method and URL of everything that arrived. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

/** Starts the other host on a free port. */
export async function startRedirectHost(): Promise<RedirectHost> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end('{"error":0}');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://localhost:${port}`, received, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
