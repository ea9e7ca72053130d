/** Every rule has a test that names it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { rules } from '../../scripts/conformance/rules';

const tests = resolve(__dirname, '..');

const titles = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => /\.(test\.ts|cases\.(ts|txt))$/.test(name) && !name.endsWith('coverage.test.ts'),
  )
  .flatMap((name) => [
    // A title, or the first cell of a table's row, that begins with ids.
    ...readFileSync(join(tests, name), 'utf8').matchAll(/(?:['"`]|^ *)((?:[XPBFSRDVW]\d\d ?)+)/gm),
  ])
  .flatMap((match) => (match[1] ?? '').trim().split(' '));

const named = new Set(titles);

test('each rule stands once', () => {
  expect(rules).toHaveLength(new Set(rules.map(({ id }) => id)).size);
});

test.each(rules)('$id is named by a test', ({ id }) => {
  expect(named.has(id)).toBe(true);
});
