import { expect, test } from '@jest/globals';
import { digest, equalTexts, newSecret } from '../../../src/identity/token';

test('a secret is 256 bits of base64url, never the same twice', () => {
  const secrets = new Set(Array.from({ length: 2000 }, newSecret));
  expect(secrets.size).toBe(2000);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/);
});

// FIPS 180-4, the example of one block
test('a digest is SHA-256 in hexadecimal', () => {
  expect(digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([
  ['ab', 'ab', true],
  ['ab', 'ac', false],
  ['ab', 'abc', false],
  ['é', 'e\u0301', false],
  ['A', '\u0141', false],
  ['', '', true],
])('texts %j and %j are equal: %s', (one, other, wanted) => {
  expect(equalTexts(one, other)).toBe(wanted);
});
