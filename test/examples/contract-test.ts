/**
 * The contract test of the books for node:test, run by `node --test contract-test.ts`. In jest and vitest the first line is
 * `import { test } from '@jest/globals'` or `import { test } from 'vitest'`, and the time comes last:
 * `test('the books keep their contract', () => testContract({ … }), 60_000)`.
 */

import { test } from 'node:test';
import { openApiRouter } from 'spec-first';
import { testContract } from 'spec-first/test';
import { handlers, securityHandlers } from './books.ts';

test('the books keep their contract', { timeout: 60_000 }, async () => {
  const listener = await openApiRouter('books.yaml', handlers, securityHandlers);
  const credentials = [{ scheme: 'key', value: process.env.API_KEY ?? '' }];
  await testContract({ document: 'books.yaml', listener, credentials });
});
