import { isIPv6 } from 'node:net';
import { CliError, EXIT_CODES } from '../run/exit-codes.ts';
import type { AppContext } from '../run/runtime.ts';

/**
 * Returns the proxy for a service, as HTTPS_PROXY and NO_PROXY (or https_proxy, no_proxy, which come first) name it; undefined = none.
 * A service on this machine, the only one without TLS, never uses a proxy. @throws CliError where it is no URL
 */
export function proxyFor(baseUrl: string, { env }: Pick<AppContext, 'env'>): string | undefined {
  const proxy = env.https_proxy || env.HTTPS_PROXY;
  const { protocol, hostname, port } = new URL(baseUrl);
  if (!proxy || protocol !== 'https:' || isExcepted(hostname, port || '443', env.no_proxy || env.NO_PROXY || '')) return undefined;
  if (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)) return proxy;
  // Its value is not shown: it may hold a password.
  throw new CliError(EXIT_CODES.invalid, 'proxy', 'HTTPS_PROXY is not the URL of a proxy', 'write it as http://host:port');
}

/**
 * Decides whether a NO_PROXY list matches a host: by name, by parent domain or by `*`; an entry with a port matches that port only. An IPv6
 * address may stand without brackets, and is then one without a port.
 */
function isExcepted(hostname: string, port: string, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const address = `https://[${entry}]`;
    if (isIPv6(entry)) return URL.canParse(address) && new URL(address).hostname === hostname;
    const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    return name !== '' && (only === undefined || only === port) && (hostname === name || hostname.endsWith(`.${name}`));
  });
}
