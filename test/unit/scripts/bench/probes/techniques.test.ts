/** The techniques that can be switched off, and the programs that do it. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { techniquesNamed } from '../../../../../scripts/bench/probes/techniques';
import { rootFolder } from '../../../../../scripts/root-folder';

const folder = join(rootFolder, 'scripts/bench/ablations');
const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));

test('each technique has its program, and each program its technique', () => {
  const shared = ['product.ts'];
  const named = techniquesNamed([]).map(({ name }) => `${name}.ts`);
  expect([...named, ...shared].sort()).toEqual([...programs].sort());
});

describe('what is replaced is what its type says', () => {
  const replaced = programs.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const pattern = /moduleOf<typeof import\('\.\.\/\.\.\/\.\.\/src\/([^']+)'\)>\(\s*'([^']+)'/g;
    return [...text.matchAll(pattern)].map((match) => [name, match[1] ?? '', match[2]] as const);
  });

  test('every program replaces something', () => {
    const own = new Set(replaced.map(([name]) => name));
    const byOthers = ['cache-and-prepared.ts', 'product.ts'];
    expect([...own, ...byOthers].sort()).toEqual([...programs].sort());
  });

  test.each(replaced)('%s: %s', (_, type, path) => {
    expect(path).toBe(type);
    expect(existsSync(join(rootFolder, 'src', `${type}.ts`))).toBe(true);
  });
});
