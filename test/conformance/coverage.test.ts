/** Every rule is held by a case, or has a test that names it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { readCases, readRules } from '../../scripts/conformance/cases';

const rules = [...readRules().matchAll(/^- ([A-Z]\d\d) /gm)].map(([, id = '']) => id);

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

const cases = readCases();
const held = new Set(cases.map(({ rule }) => rule));
const named = new Set([...titles, ...held]);

test('each rule and each case stands once, and cases name no other rules', () => {
  const ids = cases.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(rules).toEqual([...new Set(rules)]);
  expect([...held].filter((id) => !rules.includes(id))).toEqual([]);
});

test.each(rules)('%s is held by a case or a test', (id) => {
  expect(named.has(id)).toBe(true);
});
