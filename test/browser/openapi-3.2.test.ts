/** The page of a document of OpenAPI 3.2: its methods, named contents and examples, and a QUERY that is tried out. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { useBrowser } from '../support/browser/browser';
import { tryOut } from '../support/browser/try-it-out';

const specs = mkdtempSync(join(tmpdir(), 'specs-'));
afterAll(() => rmSync(specs, { recursive: true }));

const newest = readFileSync(join(__dirname, 'openapi-3.2.yaml'), 'utf8');

cpSync('specs', specs, { recursive: true });
writeFileSync(join(specs, 'newest.yaml'), newest);

const story = useBrowser({ SPECS_DIRECTORY: specs });

test('the page shows the document in its own version, and sends what it describes', async () => {
  const visitor = await story().visit();
  const page = await visitor.open('/newest/docs/');
  await page.getByText('OAS 3.2', { exact: true }).waitFor();
  await page.locator('#operations-things-copyThings').getByText('COPY').waitFor();
  const find = await tryOut(page, 'things', 'findThings');
  await find.form.getByText('What was found').waitFor();
  await visitor.picture(page, 'openapi-3.2');
  const { request, status, text } = await find.execute();
  const sent = JSON.parse(request.postData() ?? '');
  expect([request.method(), sent, status]).toEqual(['QUERY', { name: 'Ann' }, 200]);
  expect(text).toBe('{ "name": "Ann" }');
});
