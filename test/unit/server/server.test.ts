/** The warning of a start where the limit of open files is below what the connections need. */

import { expect, test } from '@jest/globals';
import { openFilesWarning } from '../../../src/server/server';
import { testConfig } from '../../support/start';

test.each<[unknown, string | undefined]>([
  [
    1024,
    'This process may open 1024 files, and MAX_CONNECTIONS=2000 needs 2050: raise the limit (ulimit -n), or lower MAX_CONNECTIONS',
  ],
  [2050, undefined],
  ['unlimited', undefined],
  [undefined, undefined],
])('a limit of %s files: %s', (limit, warning) => {
  expect(openFilesWarning(testConfig({ MAX_CONNECTIONS: '2000' }), limit)).toEqual(warning);
});

test('the limit of this process is known', () => {
  expect(openFilesWarning({ ...testConfig(), maxConnections: 1e15 })).toMatch(
    /^This process may open \d+ files/,
  );
});
