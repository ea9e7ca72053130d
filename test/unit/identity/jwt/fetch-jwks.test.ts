import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fetchJwks } from '../../../../src/identity/jwt/jwks-cache';
import { type Answer, useJsonServer } from './json-server';

const server = useJsonServer();

const keySet = { keys: [{ kty: 'RSA', kid: 'a' }] };
const wellKnown = '/.well-known/oauth-authorization-server';

afterEach(() => {
  jest.restoreAllMocks();
});

const load = (issuer = server.origin, jwksUrl?: string, milliseconds?: number) =>
  fetchJwks({ issuer, jwksUrl }, milliseconds === undefined ? {} : { milliseconds });

describe('keys are found', () => {
  test.each<[string, string, readonly string[]]>([
    ['by the metadata of OAuth 2.0', '', [wellKnown]],
    ['where the issuer has a path', '/tenant', [`${wellKnown}/tenant`]],
    ['where its path ends with a slash', '/tenant/', [`${wellKnown}/tenant`]],
    [
      'by the metadata of OpenID Connect',
      '/o',
      [`${wellKnown}/o`, '/o/.well-known/openid-configuration'],
    ],
  ])('%s', async (_, path, urls) => {
    const issuer = `${server.origin}${path}`;
    const metadata = { issuer, jwks_uri: `${server.origin}/keys` };
    server.answers = { [urls.at(-1) ?? '']: metadata, '/keys': keySet };
    expect(await load(issuer)).toEqual(keySet);
    expect(server.asked).toEqual([...urls, '/keys']);
  });

  test('at a URL that was given', async () => {
    server.answers = { '/keys?app=7': keySet };
    expect(await load('https://issuer.example', `${server.origin}/keys?app=7`)).toEqual(keySet);
    expect(server.asked).toEqual(['/keys?app=7']);
  });
});

describe('keys cannot be had', () => {
  const metadata = (others: object = {}) => ({
    ...{ issuer: server.origin, jwks_uri: `${server.origin}/keys` },
    ...others,
  });
  const redirect: Answer = (response) =>
    response.writeHead(302, { Location: `${server.origin}/keys` }).end();

  test.each<[string, () => Answer | undefined, RegExp]>([
    ['without metadata', () => undefined, /openid-configuration answers 404$/],
    ['of another issuer', () => metadata({ issuer: `${server.origin}/` }), /names another issuer$/],
    ['without keys', () => metadata({ jwks_uri: undefined }), /has no valid jwks_uri/],
    ['of metadata that is no object', () => [1], /is not a JSON object$/],
    ['of metadata that leads elsewhere', () => redirect, /openid-configuration answers 404$/],
  ])('%s', async (_, metadataOf, message) => {
    const answer = metadataOf();
    server.answers = { '/keys': keySet, ...(answer && { [wellKnown]: answer }) };
    await expect(load()).rejects.toThrow(message);
  });

  const endless: Answer = (response) => {
    response.write('{');
  };

  test.each<[string, Answer | undefined, RegExp]>([
    ['from where there are none', undefined, /keys answers 404$/],
    ['that are no JSON', '<html>', /keys is not JSON$/],
    ['that are no set', { keys: 'a' }, /keys is not a key set$/],
    ['that are no keys', { keys: [7] }, /keys is not a key set$/],
    ['that are too many', ' '.repeat(262_145), /keys is larger than 262144 bytes$/],
    ['that never end', endless, /keys does not answer within 200 ms$/],
  ])('%s', async (_, answer, message) => {
    server.answers = { [wellKnown]: metadata(), ...(answer && { '/keys': answer }) };
    const milliseconds = answer === endless ? 200 : undefined;
    await expect(load(server.origin, undefined, milliseconds)).rejects.toThrow(message);
  });

  test('from a server that is not there, which is asked once', async () => {
    await expect(load('http://127.0.0.1:1')).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1\/\.well-known\/oauth-authorization-server does not answer$/,
    );
  });

  test('without TLS from an issuer that has it', async () => {
    const issuer = 'https://issuer.example';
    const insecure = { issuer, jwks_uri: 'http://issuer.example/keys' };
    const fetched = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => Response.json(insecure));
    await expect(load(issuer)).rejects.toThrow(/has a jwks_uri without TLS$/);
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

describe('of issuers that only a document names, keys', () => {
  const allowed =
    /is at an address of this machine or a private network, which PRIVATE_ISSUERS must allow$/;

  test.each([
    'http://127.0.0.1:1',
    'https://127.0.0.1:1',
    'https://0x7f000001:1',
    'https://localhost:1',
    'https://10.0.0.1',
    'https://100.64.0.1',
    'https://169.254.169.254',
    'https://172.16.0.1',
    'https://192.168.0.1',
    'https://0.0.0.0',
    'https://[::]',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[64:ff9b::a00:1]',
    'https://[fd00::1]',
    'https://[fe80::1]',
  ])('are not asked for at %s', async (issuer) => {
    await expect(fetchJwks({ issuer, jwksUrl: undefined }, { privateIssuers: [] })).rejects.toThrow(
      allowed,
    );
  });

  test('are asked for at an origin that is allowed, and nowhere else', async () => {
    const issuer = server.origin;
    const load = (privateIssuers: readonly string[]) =>
      fetchJwks({ issuer, jwksUrl: undefined }, { privateIssuers });
    server.answers = { [wellKnown]: { issuer, jwks_uri: `${issuer}/keys` }, '/keys': keySet };
    expect(await load([issuer])).toEqual(keySet);
    expect(await load(['*'])).toEqual(keySet);
    server.asked = [];
    await expect(load(['http://127.0.0.1:1'])).rejects.toThrow(allowed);
    expect(server.asked).toEqual([]);
    server.answers = { [wellKnown]: { issuer, jwks_uri: 'http://127.0.0.2:1/keys' } };
    await expect(load([issuer])).rejects.toThrow(allowed);
  });
});
