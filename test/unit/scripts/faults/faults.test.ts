/** The faults that `npm run faults` plants: each stands for a text that is in the source once. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';

const faults: readonly Readonly<Record<string, string>>[] = readFileSync(
  join(rootFolder, 'test/faults.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

test.each(faults)('$fault', ({ file = '', text = '' }) => {
  expect(readFileSync(join(rootFolder, file), 'utf8').split(text)).toHaveLength(2);
});
