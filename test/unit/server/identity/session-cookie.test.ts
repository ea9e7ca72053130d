import { expect, test } from '@jest/globals';
import { sessionCookie } from '../../../../src/server/identity/session-cookie';

const cookie = sessionCookie('/petstore');

test.each([
  ['plain', false, 'session=abc; Max-Age=60; Path=/petstore; HttpOnly; SameSite=Strict'],
  ['under TLS', true, 'session=abc; Max-Age=60; Path=/petstore; HttpOnly; Secure; SameSite=Strict'],
])('starts a session, %s', (_title, secure, wanted) => {
  expect(cookie.start('abc', 60, secure)).toBe(wanted);
});

test('ends a session', () => {
  expect(cookie.end).toBe('session=; Max-Age=0; Path=/petstore; HttpOnly; SameSite=Strict');
});

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
