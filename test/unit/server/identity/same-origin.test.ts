/** Origins that test/end-to-end/logins.db.test.ts does not come from. */

import { expect, test } from '@jest/globals';
import { comesFromAnotherOrigin } from '../../../../src/server/identity/session-cookie';

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
