import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { generatedFiles, staleFiles } from '../scripts/generated-files';
import type * as ads from '../src/generated/ads';
import type * as petstore from '../src/generated/petstore';
import type { OperationTypes } from '../src/openapi/handler';

const root = join(__dirname, '..');

/** Compiles only where every operation of the group is what handlers are written against. */
type Fits<Group extends { readonly [Id in keyof Group]: OperationTypes }> = keyof Group;

describe('src/generated', () => {
  test('is byte for byte what specs would give now', async () => {
    for (const [file, text] of await generatedFiles(root)) {
      expect(readFileSync(join(root, 'src/generated', file), 'utf8')).toBe(text);
    }
    expect(await staleFiles(root)).toEqual([]);
  });

  test('is the same when it is generated twice', async () => {
    expect([...(await generatedFiles(root))]).toEqual([...(await generatedFiles(root))]);
  });

  test('npm run generate -- --check finds nothing stale', () => {
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    const script = join(root, 'scripts/generate.ts');
    const { status, stderr } = spawnSync(process.execPath, [tsx, script, '--check'], {
      cwd: root,
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
