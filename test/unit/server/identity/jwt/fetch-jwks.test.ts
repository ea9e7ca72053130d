import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { fetchJwks } from '../../../../../src/server/identity/jwt/jwks-cache';

type Answer = object | string | ((response: ServerResponse) => void);

let server: Server;
let origin = '';
let answers: Readonly<Record<string, Answer>> = {};
let asked: string[] = [];

const keySet = { keys: [{ kty: 'RSA', kid: 'a' }] };
const wellKnown = '/.well-known/oauth-authorization-server';

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const answer = answers[url];
    if (typeof answer === 'function') return answer(response);
    if (answer === undefined) response.writeHead(404);
    response.end(typeof answer === 'object' ? JSON.stringify(answer) : answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const load = (issuer = origin, jwksUrl?: string, milliseconds?: number) =>
  fetchJwks({ issuer, jwksUrl }, milliseconds);

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
    const issuer = `${origin}${path}`;
    answers = { [urls.at(-1) ?? '']: { issuer, jwks_uri: `${origin}/keys` }, '/keys': keySet };
    expect(await load(issuer)).toEqual(keySet);
    expect(asked).toEqual([...urls, '/keys']);
  });

  test('at a URL that was given', async () => {
    answers = { '/keys?app=7': keySet };
    expect(await load('https://issuer.example', `${origin}/keys?app=7`)).toEqual(keySet);
    expect(asked).toEqual(['/keys?app=7']);
  });
});

describe('keys cannot be had', () => {
  const metadata = (others: object = {}) => ({
    issuer: origin,
    jwks_uri: `${origin}/keys`,
    ...others,
  });

  test.each<[string, () => Readonly<Record<string, Answer>>, RegExp]>([
    ['without metadata', () => ({}), /openid-configuration answers 404$/],
    [
      'of metadata of another issuer',
      () => ({ [wellKnown]: metadata({ issuer: `${origin}/` }) }),
      /names another issuer$/,
    ],
    [
      'of metadata without keys',
      () => ({ [wellKnown]: metadata({ jwks_uri: undefined }) }),
      /says nothing of its keys/,
    ],
    ['of metadata that is no object', () => ({ [wellKnown]: [1] }), /is no JSON object$/],
    [
      'of metadata that leads elsewhere',
      () => ({
        [wellKnown]: (response) => response.writeHead(302, { Location: `${origin}/keys` }).end(),
      }),
      /openid-configuration answers 404$/,
    ],
    ['from where there are none', () => ({ [wellKnown]: metadata() }), /keys answers 404$/],
    [
      'that are no JSON',
      () => ({ [wellKnown]: metadata(), '/keys': '<html>' }),
      /keys is no JSON$/,
    ],
    [
      'that are no set',
      () => ({ [wellKnown]: metadata(), '/keys': { keys: 'a' } }),
      /keys is no key set$/,
    ],
    [
      'that are no keys',
      () => ({ [wellKnown]: metadata(), '/keys': { keys: [7] } }),
      /keys is no key set$/,
    ],
    [
      'that are too many',
      () => ({ [wellKnown]: metadata(), '/keys': ' '.repeat(262_145) }),
      /keys is larger than 262144 bytes$/,
    ],
    [
      'that never end',
      () => ({
        [wellKnown]: metadata(),
        '/keys': (response) => {
          response.write('{');
        },
      }),
      /keys does not answer within 200 ms$/,
    ],
  ])('%s', async (_, answersOf, message) => {
    answers = answersOf();
    await expect(load(origin, undefined, 200)).rejects.toThrow(message);
  });

  test('from a server that is not there, which is asked once', async () => {
    await expect(load('http://127.0.0.1:1')).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1\/\.well-known\/oauth-authorization-server does not answer$/,
    );
  });

  test('without TLS from an issuer that has it', async () => {
    const issuer = 'https://issuer.example';
    const fetched = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () =>
        Response.json({ issuer, jwks_uri: 'http://issuer.example/keys' }),
      );
    await expect(load(issuer)).rejects.toThrow(/has its keys at a URL without TLS$/);
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});
