/** An issuer that a document names by the address of its metadata (OpenAPI 3.2, `oauth2MetadataUrl`), without any variable. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { editDocument } from '../support/edit-document';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useProvider } from '../support/issuer/provider';
import { startServices } from '../support/services';
import { useTemporaryFolder } from '../support/temporary-folder';

const provider = useProvider();
const folder = useTemporaryFolder();

/** Serves the documents, of which the pet store names that address. */
const startWith = async (
  oauth2MetadataUrl: string,
  PRIVATE_ISSUERS = new URL(provider().issuer).origin,
) => {
  cpSync('specs', folder('specs'), { recursive: true });
  const file = folder('specs', 'petstore.yaml');
  const edits = [
    { at: ['openapi'], to: '3.2.0' },
    {
      at: ['components', 'securitySchemes', 'petstore_auth', 'oauth2MetadataUrl'],
      to: oauth2MetadataUrl,
    },
  ];
  writeFileSync(file, editDocument(readFileSync(file, 'utf8'), edits));
  const services = await startServices({
    SPECS_DIRECTORY: folder('specs'),
    PRIVATE_ISSUERS,
  });
  const tokenFor = (service: string) =>
    provider().token(`${services.origin}/${service}`, 'write:pets read:pets');
  const call = async (token: string) => services.ask('GET /petstore/pet/findByStatus', { token });
  return { ...services, tokenFor, call };
};

test.each([
  ['OpenID Connect', '/.well-known/openid-configuration'],
  ['OAuth 2.0', '/.well-known/oauth-authorization-server'],
])('its tokens are taken beside ours, by the metadata of %s', async (_, path) => {
  const services = await startWith(`${provider().issuer}${path}`);
  try {
    await provider().requests();
    expectOk(await services.call(await services.tokenFor('petstore')));
    expect(await provider().requests()).toEqual([
      '/token',
      '/.well-known/oauth-authorization-server',
      '/jwks',
    ]);
    expectOk(await services.call(services.petToken));
    await expectError(await services.call(await services.tokenFor('ads')), 401);
    const { text } = await services.ask('GET /.well-known/oauth-protected-resource/petstore/mcp');
    expect(JSON.parse(text).authorization_servers).toEqual([
      ...[provider().issuer, `${services.origin}/petstore`],
    ]);
  } finally {
    await services.stop();
  }
});

test.each([
  ['without TLS', 'http://issuer.example/.well-known/oauth-authorization-server'],
  ['of ours, which signs nothing', '{auth_url}/.well-known/oauth-authorization-server'],
  ['that is no URL', 'https://['],
])('no tokens of others are taken by an address %s', async (_, url) => {
  const services = await startWith(url);
  try {
    await expectError(await services.call(await services.tokenFor('petstore')), 401);
    expectOk(await services.call(services.petToken));
  } finally {
    await services.stop();
  }
});

test('one at a private address is not asked where nothing allows it', async () => {
  const url = `${provider().issuer}/.well-known/openid-configuration`;
  const services = await startWith(url, 'https://other.example');
  try {
    const token = await services.tokenFor('petstore');
    await provider().requests();
    await expectError(await services.call(token), 503, 'The token issuer is unavailable');
    expect(await provider().requests()).toEqual([]);
    expectOk(await services.call(services.petToken));
  } finally {
    await services.stop();
  }
});

test('tokens wait where the address has the metadata of no issuer', async () => {
  const services = await startWith(`${provider().issuer}/elsewhere/metadata.json`);
  try {
    const answered = await services.call(await services.tokenFor('petstore'));
    await expectError(answered, 503, 'The token issuer is unavailable');
    expectOk(await services.call(services.petToken));
  } finally {
    await services.stop();
  }
});

test('W38 the metadata of the server itself is where the document says, too', async () => {
  const services = await startWith('{auth_url}/.well-known/oauth');
  const { ask, origin, stop } = services;
  try {
    const declared = await ask('GET /petstore/.well-known/oauth');
    const usual = await ask('GET /.well-known/oauth-authorization-server/petstore');
    expect([declared.status, declared.headers['content-type']]).toEqual([200, 'application/json']);
    expect(declared.text).toBe(usual.text);
    const { text } = await ask('GET /petstore/openapi.json');
    const { petstore_auth } = JSON.parse(text).components.securitySchemes;
    expect(petstore_auth.oauth2MetadataUrl).toBe(`${origin}/petstore/.well-known/oauth`);
    await expectError(await ask('GET /petstore/.well-known/other'), 404);
  } finally {
    await stop();
  }
});
