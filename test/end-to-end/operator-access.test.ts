/** Access to the metrics, and the header for callers over TLS. */

import { expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { useServices } from '../support/services';

const services = useServices({ METRICS_TOKEN: 'a-secret', TRUSTED_PROXIES: '1' });

test.each([
  ['nothing', {}],
  ['another token', { Authorization: 'Bearer another' }],
  ['another scheme', { Authorization: 'Basic a-secret' }],
])('the metrics are refused to %s', async (_, headers) => {
  const refused = await services().ask('GET /metrics', { headers });
  await expectError(refused, 401);
  expect(refused.headers['www-authenticate']).toBe('Bearer realm="metrics"');
});

test('the metrics are shown to the token', async () => {
  const { status, text } = await services().ask('GET /metrics', { token: 'a-secret' });
  expect([status, text]).toEqual([200, expect.stringContaining('http_request_duration_seconds')]);
});

test.each([
  ['an operation', 'GET /petstore/pet/1'],
  ['a page', 'GET /petstore/docs/'],
  ['the start page', 'GET /'],
  ['nothing', 'GET /nowhere'],
])('%s is to be asked over TLS alone, where it was', async (_, target) => {
  const { ask } = services();
  const over = async (protocol: string) =>
    (await ask(target, { headers: { 'X-Forwarded-Proto': protocol } })).headers[
      'strict-transport-security'
    ];
  expect([await over('https'), await over('http')]).toEqual(['max-age=31536000', undefined]);
});
