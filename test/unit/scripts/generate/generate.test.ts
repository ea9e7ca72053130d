import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { copyProject, removeCopy } from '../../../support/check-types';

describe('npm run generate', () => {
  let folder = '';

  const generate = (...options: readonly string[]) => {
    const tsx = join(rootFolder, 'node_modules/tsx/dist/cli.mjs');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [tsx, join(rootFolder, 'scripts/generate/run.ts'), ...options],
      { cwd: folder, encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };

  beforeAll(() => {
    folder = copyProject(['specs', 'handlers']);
  });

  afterAll(() => removeCopy(folder));

  test('--check names what is stale and fails, without writing; generating mends it', () => {
    appendFileSync(join(folder, 'handlers/ads/types.ts'), '// A line by hand.\n');
    const stale = 'handlers/ads/types.ts is stale: run npm run generate\n';
    expect(generate('--check')).toEqual({ status: 1, stdout: '', stderr: stale });
    expect(generate()).toEqual({
      status: 0,
      stdout: 'handlers/ads/types.ts written\n',
      stderr: '',
    });
  });
});
