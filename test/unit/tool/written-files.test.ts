/** `types`, `stubs` and `new`: the files that they write, leave, and refuse to write. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../scripts/root-folder';
import { nodeReadsTypeScript } from '../../../src/host/module-loader';
import { testSessions } from '../../support/sessions';
import { useWorkingFolder } from '../../support/temporary-folder';
import { runLine } from './run-command';

useWorkingFolder();

testSessions(join(__dirname, 'written-files.session.txt'), (line) =>
  runLine(line.replace('$PROJECT', rootFolder)),
);

test('new says what starts it and checks its types, with this version of Node.js', async () => {
  const { out } = await runLine('spec-first new shop');
  const [more, runner] = nodeReadsTypeScript() ? ['', 'node'] : [' tsx', 'tsx'];
  expect(out.split('\n').slice(7)).toEqual([
    `Start it: cd shop && npm install spec-first${more} && npm start`,
    'Check its types: npm install --save-dev typescript@5 @types/node && npm run check',
    'After an edit of shop.yaml: npm run types',
    '',
  ]);
  expect(JSON.parse(readFileSync('shop/package.json', 'utf8')).scripts).toEqual({
    start: `${runner} server.ts`,
    test: `${runner} --test`,
    types: 'spec-first types shop.yaml --out shop.ts',
    check: 'tsc',
  });
});
