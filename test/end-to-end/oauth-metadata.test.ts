/** Metadata of the authorization server (RFC 8414). */

import { describe, expect, test } from '@jest/globals';
import { askAt } from '../support/ask';
import { authorizeTarget, tokenRequest } from '../support/authorize';
import { expectError } from '../support/error-body';
import { useTestServer } from '../support/start';

const metadataOf = (name: string) => `GET /.well-known/oauth-authorization-server/${name}`;

describe('the metadata', () => {
  const server = useTestServer({ PUBLIC_URL: 'https://api.example' });

  test.each([
    ['petstore', ['write:pets', 'read:pets']],
    ['ads', ['write:pets', 'read:pets', 'write:ads', 'read:ads']],
  ])('of %s names its endpoints under the public origin', async (name, scopes) => {
    const { status, headers, text } = await askAt(server().address)(metadataOf(name));
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    const issuer = `https://api.example/${name}`;
    expect(JSON.parse(text)).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      introspection_endpoint: `${issuer}/oauth/introspect`,
      scopes_supported: scopes,
      response_types_supported: ['code', 'token'],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: ['authorization_code', 'implicit'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ui_locales_supported: ['en', 'fr'],
    });
  });

  test.each(['', '/', '/nowhere', '/petstore/'])('is not at %j', async (path) => {
    const target = `GET /.well-known/oauth-authorization-server${path}`;
    await expectError(await askAt(server().address)(target), 404);
    const options = target.replace('GET', 'OPTIONS');
    await expectError(await askAt(server().address)(options), 404);
  });

  test('can only be read', async () => {
    const ask = askAt(server().address);
    const options = await ask(metadataOf('petstore').replace('GET', 'OPTIONS'));
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD']);
    await expectError(await ask(metadataOf('petstore').replace('GET', 'PUT')), 405);
  });

  test('agrees with the document', async () => {
    const { text } = await askAt(server().address)('GET /petstore/openapi.json');
    const { flows } = JSON.parse(text).components.securitySchemes.petstore_auth;
    expect(flows.implicit.authorizationUrl).toBe('https://api.example/petstore/oauth/authorize');
  });

  test('has the documentation page under the public origin for a client', async () => {
    const ask = askAt(server().address);
    const clientAt = (origin: string) => ({
      ...tokenRequest,
      client_id: 'docs',
      redirect_uri: `${origin}/petstore/docs/oauth2-redirect.html`,
    });
    const statusAt = async (origin: string) =>
      (await ask(`GET ${authorizeTarget(clientAt(origin))}`)).status;
    expect(await statusAt('https://api.example')).toBe(200);
    expect(await statusAt('http://api.example')).toBe(400);
  });
});
