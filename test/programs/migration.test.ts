/** The pages on migrating are true: their programs run, and answer alike but for what the page lists. */

import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { ask, startExample } from '../support/example-program';
import { useInstalledPackage } from '../support/installed-package';

const folder = useInstalledPackage('express', 'openapi-backend', 'express-openapi-validator');

/** Written as on the pages: method and path, and then headers and the body. */
const alike: readonly (readonly [status: number, ...request: string[]])[] = [
  [200, 'GET /v1/books'],
  [200, 'GET /v1/books?limit=1'],
  [200, 'GET /v1/books/1'],
  [404, 'GET /v1/books/7'],
  [404, 'GET /v1/nothing'],
  [400, 'GET /v1/books/x'],
  [400, 'GET /v1/books?limit=0'],
  [400, 'GET /v1/books?limit=1.5'],
  [400, 'GET /v1/books?limit='],
  [400, 'GET /v1/books?limit=1&limit=2'],
  [405, 'PUT /v1/books'],
  [201, 'POST /v1/books', '{"title":"A","author":"B"}'],
  [400, 'POST /v1/books', '{"title":"A"}'],
  [400, 'POST /v1/books', '{"title":1,"author":"B"}'],
  [400, 'POST /v1/books', '{"title":"","author":"B"}'],
  [400, 'POST /v1/books', '{'],
  [400, 'POST /v1/books', '[]'],
  [400, 'POST /v1/books', ''],
  [401, 'POST /v1/books', 'X-API-Key: wrong', '{"title":"A","author":"B"}'],
  [401, 'POST /v1/books', 'X-API-Key: wrong', '{}'],
];
const cases = alike.map(([status, ...request]) => ({ status, request }));

const codeIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe.each(['openapi-backend', 'express-openapi-validator'])('from %s', (name) => {
  const page = readFileSync(join(rootFolder, `src/engine/migrating/from-${name}.md`), 'utf8');
  const programs = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, program = '']) => program);
  const differences = [...page.matchAll(/^\| (`[A-Z]+ \/.*) \| (.+) \| (.+) \|$/gm)].flatMap(
    ([, requests = '', ...cells]) =>
      // Each begins with its method and path.
      requests.split(/, (?=`[A-Z]+ \/)/).map((request) => ({ request: codeIn(request), cells })),
  );
  let origins: readonly string[] = [];

  beforeAll(async () => {
    await copyFile(join(rootFolder, 'test/examples/books.yaml'), folder('books.yaml'));
    const files = programs.map((_program, index) => `${name}-${index}.mjs`);
    await Promise.all(files.map((file, index) => writeFile(folder(file), programs[index] ?? '')));
    origins = await Promise.all(files.map((file) => startExample(folder(), file)));
  });

  const answersTo = (request: readonly string[]) =>
    Promise.all(origins.map((origin) => ask(origin, request)));

  test('the page has a program before and one after, and tells differences', () => {
    expect(programs).toHaveLength(2);
    expect(differences.length).toBeGreaterThan(10);
  });

  test.each(cases)('$status to $request', async ({ status, request }) => {
    const [before, after] = await answersTo(request);
    expect([before?.status, after?.status]).toEqual([status, status]);
    if (status < 400) expect(JSON.parse(after?.text ?? '')).toEqual(JSON.parse(before?.text ?? ''));
  });

  test.each(differences)('$cells to $request', async ({ request, cells }) => {
    for (const [index, { status, text }] of (await answersTo(request)).entries()) {
      // Such as: 200 without `<book`
      const cell = cells[index] ?? '';
      const [code = ''] = codeIn(cell);
      expect({ status, text }).toMatchObject({ status: Number.parseInt(cell, 10) });
      expect(text.includes(code)).toBe(!cell.includes('without'));
    }
  });
});
