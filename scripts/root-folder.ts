/** The project's own folder. */

import { resolve } from 'node:path';

export const rootFolder = resolve(__dirname, '..');
