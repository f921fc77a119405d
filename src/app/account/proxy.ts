import { isIPv6 } from 'node:net';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CliError } from '../run/exit-codes.ts';
import { warn } from '../run/messages.ts';
import type { AppContext } from '../run/runtime.ts';

/**
 * Returns the proxy for a service, as HTTPS_PROXY and NO_PROXY (or https_proxy, no_proxy, which come first) name it; undefined = none.
 * A service on this machine, the only one without TLS, never uses a proxy. @throws CliError where it is no URL
 */
export function proxyFor(baseUrl: string, io: Pick<AppContext, 'env'>): string | undefined {
  const proxy = io.env.https_proxy || io.env.HTTPS_PROXY;
  const { protocol, hostname, port } = new URL(baseUrl);
  if (!proxy || protocol !== 'https:' || isExcepted(hostname, port || '443', io)) return undefined;
  if (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)) return proxy;
  // Its value is not shown: it may hold a password.
  throw new CliError(EXIT_CODES.invalid, 'proxy', 'HTTPS_PROXY is not the URL of a proxy', 'write it as http://host:port');
}

/** Warns of the entries of NO_PROXY that can never match, if there is a proxy. */
export function warnAboutExceptions(io: Pick<AppContext, 'env' | 'stderr'>): void {
  if (!(io.env.https_proxy || io.env.HTTPS_PROXY)) return;
  const never = entriesOf(io).filter((entry) => exceptionOf(entry) === null);
  if (never.length === 0) return;
  const hint = 'write names (example.com covers what ends with .example.com), single IP addresses, or *; a port may follow a name';
  warn(io, `NO_PROXY has entries that match no host: ${never.join(', ')}`, hint);
}

function entriesOf({ env }: Pick<AppContext, 'env'>): readonly string[] {
  return (env.no_proxy || env.NO_PROXY || '').split(/[\s,]+/).filter((entry) => entry !== '');
}

/** What an entry of NO_PROXY matches: a host, all below it, and one port or any. */
interface Exception {
  readonly name: string;
  readonly port: string | undefined;
}

/** Reads an entry of NO_PROXY; null where no host can match it. An IPv6 address may stand without brackets, and is then one without a port. */
function exceptionOf(entry: string): Exception | null {
  if (entry === '*') return { name: '', port: undefined };
  const [, written = '', port] = isIPv6(entry) ? [entry, `[${entry}]`] : (/^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []);
  const url = `https://${written}`;
  if (written === '' || written.includes('*') || !URL.canParse(url) || !(port === undefined || isPort(port))) return null;
  const name = new URL(url).hostname;
  // An IPv6 address has several forms. What a URL has besides its host makes another text of it.
  return name === written || isIPv6(written.slice(1, -1)) ? { name, port } : null;
}

function isPort(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= 65_535;
}

/** Decides whether NO_PROXY matches a host: by name, by parent domain or by `*`; an entry with a port matches that port only. */
function isExcepted(hostname: string, port: string, io: Pick<AppContext, 'env'>): boolean {
  return entriesOf(io).some((entry) => {
    const exception = exceptionOf(entry);
    if (exception === null || !(exception.port === undefined || exception.port === port)) return false;
    return exception.name === '' || hostname === exception.name || hostname.endsWith(`.${exception.name}`);
  });
}
