/** Which authorization servers and scopes the metadata of a service names (RFC 9728); test/end-to-end/oauth-metadata.test.ts has the rest. */

import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import {
  resourceMetadata,
  resourceMetadataUrl,
} from '../../../../src/server/routes/resource-metadata';

const origin = 'https://api.example';
const ours = `${origin}/shop`;
const issuer = 'https://id.example/';

const schemes = {
  key: '{ type: apiKey, in: header, name: x-key }',
  basic: '{ type: http, scheme: basic }',
  token: '{ type: http, scheme: Bearer }',
  openId: `{ type: openIdConnect, openIdConnectUrl: '${issuer}' }`,
  auth: "{ type: oauth2, flows: { implicit: { authorizationUrl: 'https://x.example/', scopes: { b: B, a: A } } } }",
};

interface Surroundings {
  readonly outside?: string;
  /** The names of the service's own security handlers. */
  readonly own?: readonly string[];
  readonly hasServer?: boolean;
}

/** The metadata of a service with these schemes, all of which its only operation requires by the scopes. */
const metadataOf = (
  names: readonly (keyof typeof schemes)[],
  scopes: string,
  { outside, own = [], hasServer = true }: Surroundings = {},
) => {
  const declared = names.map((name) => `    ${name}: ${schemes[name]}`).join('\n');
  const required = names.map((name) => `${name}: [${scopes}]`).join(', ');
  const document = parseApiDocument(
    'shop.yaml',
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: /shop }]
paths: { /items: { get: { security: [{ ${required} }], responses: { '200': { description: Items } } } } }
components:
  securitySchemes:
${declared}
`,
  );
  const securityHandlers = Object.fromEntries(own.map((name) => [name, () => undefined]));
  return resourceMetadata({ document, securityHandlers }, { origin, outside, hasServer });
};

test.each<
  [string, ReturnType<typeof metadataOf>, readonly string[], readonly string[] | undefined]
>([
  ['ours, for the required scopes in order', metadataOf(['auth'], 'b, a, b'), [ours], ['a', 'b']],
  ['ours, where no scope is required', metadataOf(['auth'], ''), [ours], undefined],
  ['another issuer', metadataOf(['token'], '', { outside: issuer }), [issuer], undefined],
  ['that before ours', metadataOf(['auth'], 'a', { outside: issuer }), [issuer, ours], ['a']],
  [
    'that alone, where ours is off',
    metadataOf(['auth'], 'a', { outside: issuer, hasServer: false }),
    [issuer],
    ['a'],
  ],
  ['ours for OpenID Connect', metadataOf(['openId'], 'a'), [ours], ['a']],
  [
    'ours, where another scheme has a handler of its own',
    metadataOf(['auth', 'openId'], 'a', { own: ['openId'] }),
    [ours],
    ['a'],
  ],
])('it names %s', (_, metadata, servers, scopes) => {
  expect(metadata).toStrictEqual({
    resource: `${ours}/mcp`,
    resource_name: 'Shop',
    authorization_servers: servers,
    ...(scopes && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_documentation: `${ours}/docs/`,
  });
});

test.each<[string, ReturnType<typeof metadataOf>]>([
  ['no scheme takes tokens', metadataOf(['key', 'basic'], '', { outside: issuer })],
  ['ours is off', metadataOf(['auth'], 'a', { hasServer: false })],
  ['ours has no scopes to grant', metadataOf(['token'], '')],
  ['the service verifies all tokens itself', metadataOf(['auth'], 'a', { own: ['bearer'] })],
  ['the service verifies those of the scheme itself', metadataOf(['auth'], 'a', { own: ['auth'] })],
])('there is none where %s', (_, metadata) => {
  expect(metadata).toBeUndefined();
});

test.each([
  ['/shop', 'https://api.example/.well-known/oauth-protected-resource/shop/mcp'],
  ['', 'https://api.example/.well-known/oauth-protected-resource/mcp'],
])('the metadata of a service at %j is at %s', (basePath, url) => {
  expect(resourceMetadataUrl(origin, basePath)).toBe(url);
});
