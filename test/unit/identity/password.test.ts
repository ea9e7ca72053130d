import { describe, expect, test } from '@jest/globals';
import { scryptPasswords } from '../../../src/identity/password';

const passwords = scryptPasswords(4);

describe('scryptPasswords', () => {
  test.each([
    [4, 'ln=4,r=8,p=1'],
    [13, 'ln=13,r=8,p=10'],
    [14, 'ln=14,r=8,p=5'],
  ])('with 2^%d the hash says its cost: %s', async (ln, cost) => {
    const hash = await scryptPasswords(ln).hash('secret');
    expect(hash).toMatch(
      new RegExp(`^\\$scrypt\\$${cost}\\$[A-Za-z0-9_-]{22}\\$[A-Za-z0-9_-]{43}$`),
    );
  });

  test.each([
    ['the same', 'correct horse', 'correct horse', true],
    ['another case', 'secret', 'Secret', false],
    ['composed and decomposed letters', 'caf\u00e9', 'cafe\u0301', true],
    ['the blanks of another keyboard', 'correct\u00a0horse', 'correct horse', true],
    ['other widths', 'secret', '\uff53ecret', false],
    ['a very long one', 'x'.repeat(100_000), 'x'.repeat(100_000), true],
    ['a very long one with another end', 'x'.repeat(100_000), `${'x'.repeat(99_999)}y`, false],
  ])('compares with %s', async (_title, password, attempt, wanted) => {
    expect(await passwords.matches(attempt, await passwords.hash(password))).toBe(wanted);
  });

  test('a hash of another cost still matches', async () => {
    expect(await passwords.matches('secret', await scryptPasswords(6).hash('secret'))).toBe(true);
  });

  test('a hash that an earlier version made of blanks as they were still matches', async () => {
    const hash =
      '$scrypt$ln=4,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$Elk_91oLAR92j9TIgcdznudjsfaXKEUrL8h_65sgsBo';
    expect(await passwords.matches('correct\u00a0horse', hash)).toBe(true);
    expect(await passwords.matches('correct horse', hash)).toBe(false);
  });

  test('without a hash the same work is done, and bounded alike', async () => {
    // Two run at once, and 32 wait.
    const most = Array.from({ length: 34 }, () => passwords.matches('secret', undefined));
    await expect(passwords.matches('secret', undefined)).rejects.toMatchObject({ status: 503 });
    await expect(passwords.hash('secret')).rejects.toMatchObject({ status: 503 });
    expect(new Set(await Promise.all(most))).toEqual(new Set([false]));
  });

  test('an unreadable hash is a fault that does not repeat it', async () => {
    await expect(passwords.matches('secret', 'plain text')).rejects.toThrow(
      /^A stored password hash is unreadable\.$/,
    );
  });
});
