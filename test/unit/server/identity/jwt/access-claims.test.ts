import { describe, expect, test } from '@jest/globals';
import { readAccessClaims } from '../../../../../src/server/identity/jwt/jwt-verifier';

const read = (claims: object, typ: string | undefined = 'at+jwt', untyped = false) =>
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
    expect(read(claims)).toEqual({ subject: 'ann', scopes });
  });
});

describe('what counts as an access token', () => {
  test.each<[string, string, object, boolean, boolean]>([
    ['a typed one', 'at+jwt', {}, true, true],
    ['a typed one with a nonce', 'at+jwt', { nonce: 'n' }, true, true],
    ['one of type JWT', 'JWT', { scope: 'a' }, false, true],
    ['one without a type', '', { scp: ['a'] }, false, true],
    ['one with an empty scope', 'JWT', { scope: '' }, false, true],
    ['one that says nothing of scopes', 'JWT', {}, false, false],
    ['an ID token of the implicit flow', 'JWT', { scope: 'a', nonce: 'n' }, false, false],
    ['an ID token beside an access token', 'JWT', { scope: 'a', at_hash: 'h' }, false, false],
    ['an ID token beside a code', '', { scope: 'a', c_hash: 'h' }, false, false],
    ['another kind of token', 'logout+jwt', { scope: 'a' }, false, false],
    ['one bound to a key', 'at+jwt', { scope: 'a', cnf: { jkt: 'x' } }, false, false],
  ])('%s', (_, typ, claims, strictly, loosely) => {
    expect([read(claims, typ) !== undefined, read(claims, typ, true) !== undefined]).toEqual([
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
    expect(read({ sub })?.subject).toBe(good ? sub : undefined);
  });
});
