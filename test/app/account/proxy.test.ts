import { expect, test } from 'vitest';
import { proxyFor, warnAboutExceptions } from '../../../src/app/account/proxy.ts';
import { EXIT_CODES } from '../../../src/core/model/exit-codes.ts';

const SERVICE = 'https://services.example.com/base';
const PROXY = 'http://user:secret@proxy.corp:3128';

test.each([
  [{}, undefined],
  [{ HTTPS_PROXY: PROXY }, PROXY],
  [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other' }, PROXY],
  [{ HTTPS_PROXY: '' }, undefined],
  [{ HTTP_PROXY: PROXY }, undefined],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '*' }, undefined],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'localhost, services.example.com' }, undefined],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'EXAMPLE.com' }, undefined],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '.example.com' }, undefined],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '*.example.com:443' }, undefined],
  [{ HTTPS_PROXY: PROXY, no_proxy: 'example.com', NO_PROXY: '' }, undefined],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'example.com:8443' }, PROXY],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'ample.com,services.example.com.evil,.' }, PROXY],
])('the proxy follows HTTPS_PROXY and NO_PROXY: %j', (env: { readonly [name: string]: string }, proxy) => {
  expect(proxyFor(SERVICE, { env })).toBe(proxy);
});

test.each([
  ['2001:db8::1', undefined],
  ['10.0.0.1, 2001:DB8:0:0::1', undefined],
  ['[2001:db8::1]', undefined],
  ['[2001:db8::1]:443', undefined],
  ['[2001:db8::1]:8443', PROXY],
  ['2001:db8::2', PROXY],
  ['fe80::1%eth0', PROXY],
])('NO_PROXY takes IPv6 addresses with and without brackets: %s', (exceptions, proxy) => {
  expect(proxyFor('https://[2001:db8::1]/base', { env: { HTTPS_PROXY: PROXY, NO_PROXY: exceptions } })).toBe(proxy);
});

test('NO_PROXY takes an IPv6 address in brackets in any of its forms', () => {
  expect(proxyFor('https://[2001:db8::1]', { env: { HTTPS_PROXY: PROXY, NO_PROXY: '[2001:DB8:0::1]' } })).toBeUndefined();
});

function warnings(env: { readonly [name: string]: string }): string {
  let text = '';
  warnAboutExceptions({
    env,
    stderr: {
      write(part: string) {
        text += part;
      },
    },
  });
  return text;
}

test.each([
  ...['10.0.0.0/8', '10.*', '10.', '*:443', '.', '*.', 'http://example.com', 'example.com/path', '<local>', 'me@example.com'],
  ...['example.com:', 'example.com:0', 'example.com:65536', 'a.*.example.com', 'fe80::1%eth0', '[::1', 'bücher.example'],
])('an entry of NO_PROXY that can never match is a warning: %s', (entry) => {
  expect(proxyFor(SERVICE, { env: { HTTPS_PROXY: PROXY, NO_PROXY: entry } })).toBe(PROXY);
  expect(warnings({ HTTPS_PROXY: PROXY, NO_PROXY: `localhost, ${entry}` })).toContain(
    `warning: NO_PROXY has entries that match no host: ${entry}\n`,
  );
});

test.each([
  ...['*', 'localhost', '127.0.0.1', '127.0.0.1:8080', '.example.com', '*.example.com:443', 'EXAMPLE.com', 'my_host', 'example.com.'],
  ...['::1', '[::1]', '[::1]:443', '2001:DB8:0:0::1', 'xn--bcher-kva.example', '', ' , ,'],
])('an entry of NO_PROXY that can match is no warning: %j', (entry) => {
  expect(warnings({ HTTPS_PROXY: PROXY, NO_PROXY: entry })).toBe('');
});

test('without a proxy, nothing is said of NO_PROXY', () => {
  expect(warnings({ NO_PROXY: '10.0.0.0/8' })).toBe('');
});

test.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1'])('a service on this machine (%s) has no proxy', (service) => {
  expect(proxyFor(service, { env: { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY } })).toBeUndefined();
});

test.each(['proxy.corp', 'socks5://user:secret@proxy.corp', 'http://'])(
  'the proxy URL %s is refused, and the message does not contain it',
  (proxy) => {
    expect(() => proxyFor(SERVICE, { env: { HTTPS_PROXY: proxy } })).toThrow(
      expect.objectContaining({ exit: EXIT_CODES.invalid, code: 'proxy', message: expect.not.stringContaining('corp') }),
    );
  },
);
