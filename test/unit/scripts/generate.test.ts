import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyProject, removeCopy } from './check-types';

const root = join(__dirname, '../../..');

describe('npm run generate', () => {
  let folder = '';

  const generate = (...options: readonly string[]) => {
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [tsx, join(root, 'scripts/generate.ts'), ...options],
      { cwd: folder, encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };

  beforeAll(() => {
    folder = copyProject(['specs', 'src/generated']);
  });

  afterAll(() => removeCopy(folder));

  test('--check names what is stale and fails, without writing; generating mends it', () => {
    appendFileSync(join(folder, 'src/generated/ads.ts'), '// A line by hand.\n');
    const stale = 'src/generated/ads.ts is stale: run npm run generate\n';
    expect(generate('--check')).toEqual({ status: 1, stdout: '', stderr: stale });
    expect(generate('--check')).toEqual({ status: 1, stdout: '', stderr: stale });
    expect(generate()).toEqual({ status: 0, stdout: 'src/generated/ads.ts written\n', stderr: '' });
    expect(generate('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
