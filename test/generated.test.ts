import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { foldersOf, generatedFiles, staleFiles } from '../scripts/generate/generated-files';
import { rootFolder } from '../scripts/root-folder';
import { runScript } from './support/run-script';

test('generated types are byte for byte what specs would give now', async () => {
  for (const [file, text] of (await generatedFiles(foldersOf(rootFolder))).files) {
    expect(readFileSync(join(rootFolder, file), 'utf8')).toBe(text);
  }
  expect(await staleFiles(foldersOf(rootFolder))).toEqual([]);
});

test('npm run generate -- --check finds nothing stale', () => {
  const script = join(rootFolder, 'scripts/generate/run.ts');
  const { status, err } = runScript(rootFolder, script, '--check');
  expect({ status, err }).toEqual({ status: 0, err: '' });
});
