/** A document with every style, media type and way to compose schemas: a server that keeps to it has no failure. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testServer } from '../../../src/contract';
import { serveDocument } from '../../support/serve-document';

const text = readFileSync(join(__dirname, 'odd.yaml'), 'utf8');

test('no failure is found, and everything is reached', async () => {
  const { url, document } = await serveDocument({ document: text, mocks: true });
  const options = { document, url, stateless: true };
  const { failures, coverage, requests } = await testServer({ ...options, depth: 'normal' });
  expect(failures).toEqual([]);
  expect(coverage.percent).toBe(100);
  expect(requests).toBeGreaterThan(500);
});
