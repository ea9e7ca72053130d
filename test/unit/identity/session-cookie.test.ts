/** The session cookie, and origins that test/end-to-end/logins.db.test.ts does not come from. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { comesFromAnotherOrigin, sessionCookie } from '../../../src/identity/session-cookie';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'session-cookie.cases.txt');

const cookie = sessionCookie('/petstore');

test('a service at the root has the root as its path', () => {
  expect(sessionCookie('').end).toContain('Path=/;');
});

test.each(valuesOf<[title: string, header?: string | string[], wanted?: string]>(cases, 'cookies'))(
  'reads from a request with %s',
  (_title, header, wanted) => {
    const headers = header === undefined ? {} : { cookie: header };
    expect(cookie.read({ method: 'GET', address: '::1', secure: false, headers })).toBe(wanted);
  },
);

const host = 'shop.example:8080';

test.each(valuesOf<[title: string, headers: object, wanted: boolean]>(cases, 'origins'))(
  'a request from %s',
  (_title, headers, wanted) => {
    const request = {
      method: 'POST',
      address: '::1',
      secure: false,
      headers: { host, ...headers },
    };
    expect(comesFromAnotherOrigin(request)).toBe(wanted);
  },
);
