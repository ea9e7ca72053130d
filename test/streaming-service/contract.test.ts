/** The streaming service keeps to its document: a test of its contract finds no failure. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testServer } from '../../src/contract';
import { parseApiDocument } from '../../src/engine';
import { environmentOf } from '../support/service-folder';
import { useTestServer } from '../support/start';

const file = join(__dirname, 'specs/stock.yaml');

const server = useTestServer(environmentOf(__dirname));

test('a test of its contract finds no failure, and reaches everything', async () => {
  const { failures, coverage } = await testServer({
    document: parseApiDocument(file, readFileSync(file, 'utf8')),
    url: `${server().origin}/stock`,
    credentials: [{ scheme: 'key', scopes: undefined, value: 'special-key' }],
    depth: 'quick',
  });
  expect(failures.map(({ message }) => message)).toEqual([]);
  expect(coverage.percent).toBe(100);
});
