/** Parameters of OpenAPI 3.2: a server that keeps to its document has no failure, and one that reads them otherwise is found. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testServer } from '../../../src/contract';
import { serveDocument } from '../../support/serve-document';

const text = readFileSync(join(__dirname, 'parameters-3.2.yaml'), 'utf8');

/** Serves one document, and tests that server by the document above. */
const testServing = async (served: string) => {
  const securityHandlers = {
    apiKey: async (key: string) =>
      key === 'k'
        ? { username: undefined, subject: 'k', scopes: [], credentialId: 'k' }
        : undefined,
  };
  const { document } = await serveDocument({ document: text, mocks: true });
  const { url } = await serveDocument({ document: served, mocks: true, securityHandlers });
  const credentials = [{ scheme: 'key', value: 'k' }];
  return testServer({ document, url, credentials, seed: 1, stateless: true, depth: 'normal' });
};

test('W09 W10 W11 W12 W13 no failure is found, and everything is reached', async () => {
  const { failures, coverage } = await testServing(text);
  expect(failures).toEqual([]);
  expect(coverage.percent).toBe(100);
});

test.each([
  ['byForm', ', ids: {style: pipeDelimited}', ''],
  ['byForm', 'minLength: 1, maxLength: 9}, n', '}, n'],
  ['byJson', ', maximum: 9', ''],
  ['byText', ", pattern: '^[$][.a-z]+$'", ''],
  ['byCookies', 'name: list, in: cookie, style: cookie,', 'name: list, in: cookie,'],
  ['byCookies', ', maximum: 255', ''],
])('W09 W10 W11 W12 what a server does otherwise is found in %s', async (operation, was, is) => {
  expect(text).toContain(was);
  const { failures } = await testServing(text.replace(was, is));
  expect(new Set(failures.map((failure) => failure.operation))).toEqual(new Set([operation]));
});
