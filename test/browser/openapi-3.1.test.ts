/** The page of a document of OpenAPI 3.1: its schemas, its webhooks, and an operation that is tried out. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { useBrowser } from '../support/browser/browser';
import { tryOut } from '../support/browser/try-it-out';

const specs = mkdtempSync(join(tmpdir(), 'specs-'));
afterAll(() => rmSync(specs, { recursive: true }));

const modern = readFileSync(join(__dirname, 'openapi-3.1.yaml'), 'utf8');

cpSync('specs', specs, { recursive: true });
writeFileSync(join(specs, 'modern.yaml'), modern);

const story = useBrowser({ SPECS_DIRECTORY: specs });

test('V39 the page shows the document in its own version, and sends what it describes', async () => {
  const visitor = await story().visit();
  const page = await visitor.open('/modern/docs/');
  await page.getByText('OAS 3.1', { exact: true }).waitFor();
  await page.getByText('Mock: no handler yet').waitFor();
  await page.locator('.webhooks').getByText('thingAdded').first().waitFor();
  const add = await tryOut(page, 'things', 'addThing');
  await add.form.getByText('The name of this one').first().waitFor();
  await visitor.picture(page, 'openapi-3.1');
  const { request, status, text } = await add.execute();
  expect([request.postData(), status]).toEqual(['name=Ann&size=5', 200]);
  expect(text).toBe('{"name":"Bob","size":9007199254740993,"kind":null}');
});

test('V39 the text is the author’s', async () => {
  const { text } = await story().services.ask('GET /modern/openapi.yaml');
  expect(text).toBe(modern);
});
