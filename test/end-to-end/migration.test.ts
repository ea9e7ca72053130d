/** The pages on migrating are true: their programs run, and answer alike but for what the page lists. */

import { copyFile, readFile, writeFile } from 'node:fs/promises';
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

/** Checks an answer against a cell such as 200 with `<book`. */
const expectCell = ({ status, text }: { status: number; text: string }, cell: string): void => {
  const [code] = codeIn(cell);
  expect({ status, text }).toMatchObject({ status: Number.parseInt(cell, 10) });
  if (code !== undefined) expect(text.includes(code)).toBe(!cell.includes('without'));
};

describe.each(['openapi-backend', 'express-openapi-validator'])('from %s', (name) => {
  const origins: Record<'before' | 'after', string> = { before: '', after: '' };
  let rows: readonly (readonly string[])[] = [];

  beforeAll(async () => {
    const page = await readFile(join(rootFolder, `src/engine/migrating/from-${name}.md`), 'utf8');
    const [before = '', after = ''] = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(
      (block) => block[1],
    );
    await copyFile(join(rootFolder, 'test/examples/books.yaml'), folder('books.yaml'));
    for (const [when, program] of [
      ['before', before],
      ['after', after],
    ] as const) {
      await writeFile(folder(`${name}-${when}.mjs`), program);
      origins[when] = await startExample(folder(), `${name}-${when}.mjs`);
    }
    rows = [...page.matchAll(/^\| (`[A-Z]+ \/.*) \| (.+) \| (.+) \|$/gm)].map((row) =>
      row.slice(1),
    );
  });

  test.each(cases)('$status to $request', async ({ status, request }) => {
    const before = await ask(origins.before, request);
    const after = await ask(origins.after, request);
    expect([before.status, after.status]).toEqual([status, status]);
    if (status < 400) expect(JSON.parse(after.text)).toEqual(JSON.parse(before.text));
  });

  test('the answers differ as the page says', async () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const [requests = '', before = '', after = ''] of rows) {
      // Each begins with its method and path.
      for (const request of requests.split(/, (?=`[A-Z]+ \/)/)) {
        expectCell(await ask(origins.before, codeIn(request)), before);
        expectCell(await ask(origins.after, codeIn(request)), after);
      }
    }
  });
});
