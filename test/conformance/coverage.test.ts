/** Every rule of an OpenAPI 3.0 engine that is said to hold has a test that names it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const ids = (chapter: string, last: number): string[] =>
  Array.from({ length: last }, (_, index) => `${chapter}${String(index + 1).padStart(2, '0')}`);

/** Multipart bodies are not read yet. */
const multipart = new Set(['F05', 'F06', 'F07', 'F08']);

const rules = [
  ...ids('X', 34),
  ...ids('P', 25),
  ...ids('B', 10),
  ...ids('F', 10),
  ...ids('S', 12),
  ...ids('R', 12),
  ...ids('D', 15),
].filter((id) => !multipart.has(id));

const tests = resolve(__dirname, '..');

const titles = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('coverage.test.ts'))
  .flatMap((name) => [
    // A title, or the first cell of a table's row, that begins with ids.
    ...readFileSync(join(tests, name), 'utf8').matchAll(/['"`]((?:[XPBFSRD]\d\d ?)+)/g),
  ])
  .flatMap((match) => (match[1] ?? '').trim().split(' '));

const named = new Set(titles);

test.each(rules)('%s is named by a test', (id) => {
  expect(named.has(id)).toBe(true);
});
