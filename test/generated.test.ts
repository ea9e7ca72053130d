import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { foldersOf, generatedFiles, staleFiles } from '../scripts/generate/generated-files';
import { rootFolder } from '../scripts/root-folder';

test('generated types are byte for byte what specs would give now', async () => {
  for (const [file, text] of (await generatedFiles(foldersOf(rootFolder))).files) {
    expect(readFileSync(join(rootFolder, file), 'utf8')).toBe(text);
  }
  expect(await staleFiles(foldersOf(rootFolder))).toEqual([]);
});

test('npm run generate -- --check finds nothing stale', () => {
  const tsx = join(rootFolder, 'node_modules/tsx/dist/cli.mjs');
  const script = join(rootFolder, 'scripts/generate/run.ts');
  const { status, stderr } = spawnSync(process.execPath, [tsx, script, '--check'], {
    cwd: rootFolder,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
