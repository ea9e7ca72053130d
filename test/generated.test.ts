import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type * as ads from '../handlers/ads/types';
import type * as petstore from '../handlers/petstore/types';
import { foldersOf, generatedFiles, staleFiles } from '../scripts/generate/generated-files';
import { rootFolder } from '../scripts/root-folder';
import type { OperationTypes } from '../src/engine/operation/handler';

/** Compiles only where every operation of the group is what handlers are written against. */
type Fits<Group extends { readonly [Id in keyof Group]: OperationTypes }> = keyof Group;

describe('generated types', () => {
  test('is byte for byte what specs would give now', async () => {
    for (const [file, text] of (await generatedFiles(foldersOf(rootFolder))).files) {
      expect(readFileSync(join(rootFolder, file), 'utf8')).toBe(text);
    }
    expect(await staleFiles(foldersOf(rootFolder))).toEqual([]);
  });

  test('is the same when it is generated twice', async () => {
    expect(await generatedFiles(foldersOf(rootFolder))).toEqual(
      await generatedFiles(foldersOf(rootFolder)),
    );
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

  test('is what handlers are written against', () => {
    // What matters is that these lines compile.
    const pet: Fits<petstore.Operations> = 'getPetById';
    const ad: Fits<ads.Operations> = 'addAd';
    expect([pet, ad]).toEqual(['getPetById', 'addAd']);
  });
});
