import { expect, test } from 'vitest';
import { proxyFor } from '../../../src/app/account/proxy.ts';
import { EXIT_CODES } from '../../../src/app/run/exit-codes.ts';

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
