/** The streaming service keeps to its document: a test of its contract finds no failure. */

import { expect, test } from '@jest/globals';
import { testContract, useTestService } from '../support/service-folder';

const service = useTestService(__dirname, 'stock');

test('a test of its contract finds no failure, and reaches everything', async () => {
  const { failures, coverage } = await testContract(__dirname, 'stock', service());
  expect(failures.map(({ message }) => message)).toEqual([]);
  expect(coverage.percent).toBe(100);
});
