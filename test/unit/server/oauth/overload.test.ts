/** What users see when the password cannot be checked now: the form, for later. */

import { expect, test } from '@jest/globals';
import { HttpError } from '../../../../src/engine/http/http-error';
import { authorizationServer } from '../../../../src/server/oauth/authorization-server';
import type { EndpointRequest } from '../../../../src/server/oauth/protocol/endpoint';
import { fieldsOf } from '../../../support/browser';
import { useTemporaryDatabase } from '../../storage/temporary-database';

const file = useTemporaryDatabase();
const request: EndpointRequest = {
  method: 'GET',
  headers: { host: 'localhost' },
  address: '192.0.2.1',
  secure: false,
  query: new URLSearchParams({
    response_type: 'token',
    client_id: 'docs',
    redirect_uri: 'http://localhost:8080/docs/oauth2-redirect.html',
  }).toString(),
  form: undefined,
};

/** A server whose password check fails, and the answer to a form that asks for it. */
const signInWhere = async (error: Error) => {
  const server = authorizationServer({
    name: 'shop',
    title: 'Shop',
    origin: 'http://localhost:8080',
    basePath: '',
    port: 8080,
    scopes: { known: new Map([['read', 'Read']]), required: ['read'] },
    keyHeader: 'api_key',
    db: file.db,
    checkPassword: () => Promise.reject(error),
    verifyKey: undefined,
    tokenTtlSeconds: 60,
    clock: () => 0,
  });
  const page = await server.authorize(request);
  const [cookie = ''] = page.headers['Set-Cookie'] ?? [];
  const fields = { ...fieldsOf(String(page.body)), username: 'ann', password: 'secret of ann' };
  return server.authorize({
    ...request,
    method: 'POST',
    headers: { ...request.headers, cookie: cookie.split(';')[0] },
    form: new URLSearchParams({ ...fields, action: 'sign-in' }).toString(),
  });
};

const headers = { 'Retry-After': '5' };

test('the form says when to come back, and keeps the name alone', async () => {
  const answer = await signInWhere(new HttpError(503, 'unavailable', 'busy', { headers }));
  expect([answer.status, answer.headers['Retry-After']]).toEqual([503, '5']);
  const html = String(answer.body);
  expect(html).toContain('The server is busy.');
  expect(fieldsOf(html)).toMatchObject({ username: 'ann', password: '' });
  expect(html).not.toContain('secret of ann');
});

test('any other failure is not for the form to tell', async () => {
  await expect(signInWhere(new Error('broken'))).rejects.toThrow('broken');
});
