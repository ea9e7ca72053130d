/** The guide in handlers/own-code.md on code of one's own: each of its blocks, in their order, in a copy of the project. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { testGuide } from '../support/guide';

const guide = readFileSync(join(rootFolder, 'handlers/own-code.md'), 'utf8');

test('the guide is short', () => {
  expect(guide.trim().split(/\s+/).length).toBeLessThanOrEqual(1500);
});

testGuide(guide);
