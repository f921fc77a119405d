// Narrows undici to what src/service/transport.ts asks of it: an esbuild plugin. Its whole index would load four times
// as many files, which takes a tenth of the time of a plan; what speaks to proxies is loaded where there is one.
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** What speaks to proxies. */
const TUNNEL = 'undici/lib/api/api-connect.js';
const PROXY = 'undici/lib/dispatcher/proxy-agent.js';

/** The files of undici that hold what is exported, as its index puts it together; undici is pinned, and a missing file ends the build. */
const NARROW = `
import { createRequire } from 'node:module';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import request from 'undici/lib/api/api-request.js';
Object.assign(Dispatcher.prototype, { request });
export { Agent };
export function ProxyAgent(settings) {
  const late = createRequire(import.meta.url);
  Object.assign(Dispatcher.prototype, { connect: late('${TUNNEL}') });
  return new (late('${PROXY}'))(settings);
}
`;

export const narrowUndici = {
  name: 'narrow-undici',
  setup(build) {
    for (const late of [TUNNEL, PROXY]) resolve(late);
    build.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'narrow-undici' }));
    build.onLoad({ filter: /^undici$/, namespace: 'narrow-undici' }, () => ({
      contents: NARROW,
      loader: 'js',
      resolveDir: import.meta.dirname,
    }));
    build.onResolve({ filter: /^undici\// }, ({ path }) => {
      resolve(path);
      return { path, external: true };
    });
  },
};
