import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { jwtVerifier, readAccessClaims } from '../../../../src/identity/jwt/jwt-verifier';
import { valuesOf } from '../../../support/text-cases';
import { useJsonServer } from './json-server';

const cases = join(__dirname, 'jwt-verifier.cases.txt');

const issuer = 'https://issuer.example';
const audience = 'https://api.example';
const isOurs = (named: string) => named === audience;
const now = Date.UTC(2030, 0, 1, 12);

const server = useJsonServer();
let logged: string[] = [];

beforeEach(() => {
  logged = [];
});

const serveKeys = (keys: readonly object[]): void => {
  server.answers = { '/keys': { keys } };
};

const write = (fields: object, message: string): void => {
  const error: unknown = Reflect.get(fields, 'err');
  logged.push(`${message} ${error instanceof Error ? error.stack : JSON.stringify(fields)}`);
};

/** A security handler that has not yet asked for keys. */
const newVerifier = () =>
  jwtVerifier(
    { issuer, jwksUrl: `${server.origin}/keys`, untypedTokens: false },
    { debug: write, warn: write },
    () => now,
  );

interface Signer {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const rsa = (modulusLength: number): Signer => generateKeyPairSync('rsa', { modulusLength });
const ec = (namedCurve: string): Signer => generateKeyPairSync('ec', { namedCurve });

const jwkOf = ({ publicKey }: Signer, others: object = {}): object => ({
  ...publicKey.export({ format: 'jwk' }),
  ...others,
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes the signature of RFC 7518 section 3 and RFC 8037 by node:crypto. */
const signature = (algorithm: string, key: KeyObject, text: string): Buffer => {
  const data = Buffer.from(text);
  const hash = key.asymmetricKeyType === 'ed25519' ? null : `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('PS')) {
    return sign(hash, data, {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    });
  }
  return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' });
};

const tokenOf = (algorithm: string, { privateKey }: Signer, header: object = {}): string => {
  const claims = { iss: issuer, aud: audience, sub: 'ann', exp: now / 1000 + 60, scope: 'a b' };
  const text = `${encode({ alg: algorithm, typ: 'at+jwt', ...header })}.${encode(claims)}`;
  return `${text}.${signature(algorithm, privateKey, text).toString('base64url')}`;
};

const ann = {
  username: undefined,
  subject: `${issuer}:ann`,
  kind: 'issuer',
  scopes: ['a', 'b'],
  credentialId: `${issuer}:ann`,
};

const strong = rsa(2048);

describe('signatures', () => {
  test.each<[string, Signer]>([
    ['RS256', strong],
    ['RS512', strong],
    ['PS256', strong],
    ['ES256', ec('P-256')],
    ['ES384', ec('P-384')],
    ['ES512', ec('P-521')],
    ['EdDSA', generateKeyPairSync('ed25519')],
    ['Ed25519', generateKeyPairSync('ed25519')],
  ])('%s is checked', async (algorithm, signer) => {
    serveKeys([jwkOf(signer)]);
    const verify = await newVerifier();
    const token = tokenOf(algorithm, signer);
    expect(await verify(token, isOurs)).toEqual(ann);
    const [head, , tail] = token.split('.');
    const forged = encode({ iss: issuer, aud: audience, sub: 'bob', exp: now / 1000 + 60 });
    expect(await verify(`${head}.${forged}.${tail}`, isOurs)).toBeUndefined();
  });

  test.each<[string, string, Signer]>([
    ['a key that is too short', 'RS256', rsa(1024)],
    ['a key of a curve that is not taken', 'ES256', ec('secp256k1')],
  ])('of %s is refused', async (_, algorithm, signer) => {
    serveKeys([jwkOf(signer)]);
    const verify = await newVerifier();
    expect(await verify(tokenOf(algorithm, signer), isOurs)).toBeUndefined();
  });
});

describe('keys', () => {
  const [a, b] = [jwkOf(strong, { kid: 'a' }), jwkOf(rsa(2048), { kid: 'b' })];

  test.each<[string, () => object[], object, boolean]>([
    ['named by the token', () => [a, b], { kid: 'a' }, true],
    ['that the token names wrongly', () => [a], { kid: 'b' }, false],
    ['that are many, for a token that names none', () => [a, b], {}, false],
    ['for encryption', () => [jwkOf(strong, { use: 'enc' })], {}, false],
    ['for another algorithm', () => [jwkOf(strong, { alg: 'RS512' })], {}, false],
    ['beside strange ones', () => [{ kty: 'new' }, { kty: 7 }, jwkOf(strong)], {}, true],
    ['that are none', () => [], {}, false],
    ['that are broken', () => [{ kty: 'RSA', n: '!', e: '!' }], {}, false],
    ['that are secrets', () => [{ kty: 'oct', k: 'c2VjcmV0' }], {}, false],
    ['within the token itself', () => [], { jwk: jwkOf(strong) }, false],
  ])('%s', async (_, set, header, good) => {
    serveKeys(set());
    const principal = await (await newVerifier())(tokenOf('RS256', strong, header), isOurs);
    expect(principal).toEqual(good ? ann : undefined);
  });
});

test('the log tells why a token was refused, and never the token', async () => {
  serveKeys([jwkOf(strong)]);
  const verify = await newVerifier();
  const token = tokenOf('RS256', strong);
  const [head, claims, tail] = token.split('.');
  const cut = `${head}.${claims}`;
  for (const bad of [`${token}x`, `${cut}.`, cut, token + 'x'.repeat(9000)]) {
    expect(await verify(bad, isOurs)).toBeUndefined();
  }
  expect(await verify(token, (named) => named !== audience)).toBeUndefined();
  expect(logged).toHaveLength(5);
  expect(logged.at(-1)).toContain('for another audience');
  for (const part of [claims, tail]) expect(logged.join('\n')).not.toContain(part);
});

const readClaims = (claims: object, typ: string | undefined = 'at+jwt', untyped = false) =>
  readAccessClaims(
    { alg: 'RS256', ...(typ === '' ? {} : { typ }) },
    { sub: 'ann', ...claims },
    untyped,
  );

describe('scopes', () => {
  test.each<[string, object, string[]]>([
    ['between more blanks than needed', { scope: ' a  b ' }, ['a', 'b']],
    ['in a list', { scope: ['a', 'b'] }, ['a', 'b']],
    ['of both, each once', { scope: 'a b', scp: ['b', 'c'] }, ['a', 'b', 'c']],
    ['that are no texts', { scope: 7, scp: [{}, 'a', null] }, ['a']],
    ['that are none', {}, []],
    ['that are empty', { scope: '', scp: [] }, []],
  ])('%s', (_, claims, scopes) => {
    expect(readClaims(claims)).toEqual({ subject: 'ann', scopes });
  });
});

describe('what counts as an access token', () => {
  test.each(
    valuesOf<[string, string, object, boolean, boolean]>(cases, 'what counts as an access token'),
  )('%s', (_, typ, claims, strictly, loosely) => {
    expect([false, true].map((loose) => readClaims(claims, typ, loose) !== undefined)).toEqual([
      strictly,
      loosely,
    ]);
  });
});

describe('subjects', () => {
  test.each<[string, unknown, boolean]>([
    ['a text', 'auth0|5f7c8ec7', true],
    ['letters of any script', 'Zoë 李', true],
    ['255 characters', 'x'.repeat(255), true],
    ['256 characters', 'x'.repeat(256), false],
    ['nothing', '', false],
    ['a line break', 'a\nb', false],
    ['half a character', '\ud800', false],
    ['text that turns around', 'a\u202eb', false],
  ])('%s', (_, sub, good) => {
    expect(readClaims({ sub })?.subject).toBe(good ? sub : undefined);
  });
});
