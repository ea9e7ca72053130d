/** The version of better-sqlite3 for this Node.js. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { sqliteDriver } from '../../../../src/storage/sqlite/sqlite';

test('it opens a database', () => {
  const db = new (sqliteDriver())(':memory:');
  expect(db.prepare('select 1 as one').all()).toEqual([{ one: 1 }]);
  db.close();
});

test('npm takes version 13 as it comes, compiled', () => {
  const { packages } = JSON.parse(readFileSync(join(rootFolder, 'package-lock.json'), 'utf8'));
  // npm drops this line whenever it writes the file (github.com/npm/cli/issues/9837). Put it back: without it `npm ci` compiles the
  // package again, and silently leaves it out where there is no compiler.
  expect(packages['node_modules/better-sqlite3']).toMatchObject({ gypfile: false });
});

test('npm compiles version 12 for Node.js 20 alone', () => {
  const { packages } = JSON.parse(readFileSync(join(rootFolder, 'package-lock.json'), 'utf8'));
  // Newer ones have version 13. Where npm has written what the package says, put this back: it saves them a minute of compiling.
  expect(packages['node_modules/better-sqlite3-12'].engines).toEqual({ node: '20.x' });
});
