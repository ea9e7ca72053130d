/** The session cookie, and origins that test/end-to-end/logins.db.test.ts does not come from. */

import { expect, test } from '@jest/globals';
import { comesFromAnotherOrigin, sessionCookie } from '../../../src/identity/session-cookie';

const cookie = sessionCookie('/petstore');

test('a service at the root has the root as its path', () => {
  expect(sessionCookie('').end).toContain('Path=/;');
});

test.each([
  ['none', undefined, undefined],
  ['an empty one', '', undefined],
  ['other cookies', 'theme=dark', undefined],
  ['ours among others', 'theme=dark; session=abc; lang=fr', 'abc'],
  ['an ended one', 'session=', undefined],
  ['several headers', ['theme=dark', 'session=abc'], 'abc'],
  ['two of ours: the browser sends the longer path first', 'session=abc; session=def', 'abc'],
  ['a name from the prototype', '__proto__=x; constructor=y', undefined],
  ['malformed escapes', 'session=%E0%A4%A', '%E0%A4%A'],
])('reads from a request with %s', (_title, header, wanted) => {
  const headers = header === undefined ? {} : { cookie: header };
  expect(cookie.read({ method: 'GET', address: '::1', secure: false, headers })).toBe(wanted);
});

const host = 'shop.example:8080';

test.each([
  ['no browser', {}, false],
  [
    'elsewhere by Fetch Metadata',
    { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    true,
  ],
  ['our origin over TLS that a proxy ends', { origin: `https://${host}` }, false],
  ['a host in capitals', { origin: `http://${host}`, host: 'SHOP.example:8080' }, false],
  ['no URL at all', { origin: '%%' }, true],
])('a request from %s', (_title, headers, wanted) => {
  const request = { method: 'POST', address: '::1', secure: false, headers: { host, ...headers } };
  expect(comesFromAnotherOrigin(request)).toBe(wanted);
});
