import { expect, test } from '@jest/globals';
import { comesFromAnotherOrigin } from '../../../../src/server/identity/session-cookie';

const host = 'shop.example:8080';

test.each([
  ['no browser', {}, false],
  ['a page of ours', { 'sec-fetch-site': 'same-origin' }, false],
  ['the address bar', { 'sec-fetch-site': 'none' }, false],
  ['a sibling domain', { 'sec-fetch-site': 'same-site' }, true],
  ['another site', { 'sec-fetch-site': 'cross-site' }, true],
  [
    'Fetch Metadata before Origin',
    { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    true,
  ],
  ['our origin', { origin: `http://${host}` }, false],
  ['our origin over TLS that a proxy ends', { origin: `https://${host}` }, false],
  [
    'our origin with a host in capitals',
    { origin: `http://${host}`, host: 'SHOP.example:8080' },
    false,
  ],
  ['another port', { origin: 'http://shop.example:9090' }, true],
  ['another host', { origin: 'http://evil.example' }, true],
  ['a sandboxed page', { origin: 'null' }, true],
  ['no URL at all', { origin: '%%' }, true],
])('a request from %s', (_title, headers, wanted) => {
  const request = { method: 'POST', address: '::1', secure: false, headers: { host, ...headers } };
  expect(comesFromAnotherOrigin(request)).toBe(wanted);
});
