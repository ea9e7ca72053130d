/** A client without registration, by the document at its identifier: from its metadata to a token (draft-ietf-oauth-client-id-metadata-document-00). */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorizeTarget, backAt, grantAll, signInOn } from '../support/authorize';
import { openBrowser } from '../support/browser';
import { expectOk } from '../support/expect-ok';
import { listen } from '../support/listen';
import { type Services, startServices } from '../support/services';

const redirectUri = 'http://127.0.0.1/back';
/** The port of its own that the client listens at (RFC 8252 section 7.3). */
const back = 'http://127.0.0.1:4242/back';
const verifier = 'v'.repeat(43);

let services: Services;
let clientId = '';
let closed: Services;

beforeAll(async () => {
  const origin = await listen(
    createServer((_, response) => {
      const named = { client_id: clientId, client_name: '<b>Agent</b>' };
      response.end(JSON.stringify({ ...named, redirect_uris: [redirectUri] }));
    }),
  );
  clientId = `${origin}/agent.json`;
  services = await startServices({ CLIENT_METADATA_ORIGINS: origin });
  closed = await startServices();
});
afterAll(() => Promise.all([services.stop(), closed.stop()]));

const targetWith = (change: Readonly<Record<string, string>> = {}) =>
  authorizeTarget({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: back, state: 's' },
    ...{ scope: 'read:pets write:pets', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...change,
  });

test('it gets a token for a resource, and the user sees its host', async () => {
  const { ask, origin } = services;
  const resource = `${origin}/petstore/pet/findByTags`;
  const browser = openBrowser(ask);
  const consent = await signInOn(browser, await browser.open(targetWith({ resource })));
  const { host } = new URL(clientId);
  expect(consent.text).toContain(`Allow ${host} (&lt;b&gt;Agent&lt;/b&gt;) access?`);
  const { code = '' } = backAt(await grantAll(browser, targetWith({ resource })), back, '?');
  const body = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code, redirect_uri: back },
    ...{ client_id: clientId, code_verifier: verifier, resource },
  }).toString();
  const type = 'application/x-www-form-urlencoded';
  const answered = await ask('POST /petstore/oauth/token', { type, body });
  expectOk(answered);
  const { access_token: token } = JSON.parse(answered.text);
  expectOk(await ask('GET /petstore/pet/findByTags', { token }));
  expect((await ask('GET /petstore/pet/findByStatus', { token })).status).toBe(401);
  expect(await services.db.knex('tokens').where({ client: clientId })).toHaveLength(1);
});

test('it may use no other redirect URI, and no other flow', async () => {
  const browser = openBrowser(services.ask);
  const foreign = await browser.open(targetWith({ redirect_uri: 'http://127.0.0.1:4242/other' }));
  expect([foreign.status, foreign.headers.location]).toEqual([400, undefined]);
  const implicit = await browser.open(targetWith({ response_type: 'token' }));
  expect(backAt(implicit, back, '#')).toMatchObject({ error: 'unauthorized_client' });
  const unproven = await browser.open(targetWith({ code_challenge: '' }));
  expect(backAt(unproven, back, '?')).toMatchObject({ error: 'invalid_request' });
});

test('the metadata says whether such clients are known, and by default none is', async () => {
  const supported = async ({ ask }: Services): Promise<unknown> => {
    const { text } = await ask('GET /.well-known/oauth-authorization-server/petstore');
    return JSON.parse(text).client_id_metadata_document_supported;
  };
  expect([await supported(services), await supported(closed)]).toEqual([true, undefined]);
  expect((await openBrowser(closed.ask).open(targetWith())).status).toBe(400);
});
