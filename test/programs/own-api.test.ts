/** The guide in handlers/README.md on an API of one's own: each of its blocks, in their order, in a copy of the project. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../../scripts/root-folder';
import { testGuide } from '../support/guide';

const page = readFileSync(join(rootFolder, 'handlers/README.md'), 'utf8');
const [, guide = ''] = page.split(/^## An API of your own, step by step$/m);

testGuide(guide);
