/** The scripts that switch techniques off. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';

const folder = join(rootFolder, 'scripts/bench/ablations');
const scripts = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'product.ts');

test.each(scripts)('%s replaces the module that its type names', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const pattern = /moduleOf<typeof import\('\.\.\/\.\.\/\.\.\/src\/([^']+)'\)>\(\s*'([^']+)'/g;
  const replaced = [...text.matchAll(pattern)];
  expect(replaced.length).toBeGreaterThan(0);
  for (const [, type, path] of replaced) {
    expect(path).toBe(type);
    expect(existsSync(join(rootFolder, 'src', `${type}.ts`))).toBe(true);
  }
});
