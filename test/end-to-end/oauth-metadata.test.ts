/** Metadata of the authorization server (RFC 8414), and of what it guards (RFC 9728). */

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

const resourceOf = (name: string) => `GET /.well-known/oauth-protected-resource/${name}`;

describe('the metadata of what agents call', () => {
  const server = useTestServer({ PUBLIC_URL: 'https://api.example' });

  test.each([
    ['petstore', ['read:pets', 'write:pets']],
    ['ads', ['read:ads', 'write:ads']],
  ])('names the authorization server of %s, to pages of any origin', async (name, scopes) => {
    const { status, headers, text } = await askAt(server().address)(resourceOf(`${name}/mcp`));
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(headers['access-control-allow-origin']).toBe('*');
    const service = `https://api.example/${name}`;
    expect(JSON.parse(text)).toEqual({
      resource: `${service}/mcp`,
      resource_name: expect.any(String),
      authorization_servers: [service],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_documentation: `${service}/docs/`,
    });
    const issuer = await askAt(server().address)(metadataOf(name));
    expect(JSON.parse(issuer.text)).toMatchObject({ issuer: service });
    expect(issuer.headers['access-control-allow-origin']).toBe('*');
  });

  test.each(['', '/', '/mcp', '/petstore', '/petstore/', '/petstore/mcp/', '/nowhere/mcp'])(
    'is not at %j',
    async (path) => {
      const target = `GET /.well-known/oauth-protected-resource${path}`;
      await expectError(await askAt(server().address)(target), 404);
    },
  );

  test('can only be read', async () => {
    const ask = askAt(server().address);
    const target = resourceOf('petstore/mcp');
    expect((await ask(target.replace('GET', 'HEAD'))).status).toBe(200);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answered = await ask(target.replace('GET', method));
      await expectError(answered, 405);
      expect(answered.headers.allow).toBe('GET, HEAD');
    }
  });
});

describe('an independent client', () => {
  const server = useTestServer();

  test('finds the authorization server from the address of the tools', async () => {
    const oauth = await import('oauth4webapi');
    const options = { [oauth.allowInsecureRequests]: true };
    const url = new URL(`${server().address}/petstore/mcp`);
    const found = await oauth.resourceDiscoveryRequest(url, options);
    const resource = await oauth.processResourceDiscoveryResponse(url, found);
    const issuer = new URL(resource.authorization_servers?.[0] ?? '');
    const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
    expect(await oauth.processDiscoveryResponse(issuer, discovered)).toMatchObject({
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('where MCP is false', () => {
  const server = useTestServer({ MCP: 'false' });

  test('there is no metadata of what agents call', async () => {
    const ask = askAt(server().address);
    await expectError(await ask(resourceOf('petstore/mcp')), 404);
    expect((await ask(metadataOf('petstore'))).status).toBe(200);
  });
});
