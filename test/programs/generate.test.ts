import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { copyProject, removeCopy } from '../support/check-types';
import { runScript } from '../support/run-script';

describe('npm run generate', () => {
  let folder = '';

  const generate = (...options: readonly string[]) =>
    runScript(folder, join(rootFolder, 'scripts/generate/run.ts'), ...options);

  beforeAll(() => {
    folder = copyProject(['specs', 'handlers']);
  });

  afterAll(() => removeCopy(folder));

  test('--check names what is stale and fails, without writing; generating mends it', () => {
    appendFileSync(join(folder, 'handlers/ads/types.ts'), '// A line by hand.\n');
    const stale = 'handlers/ads/types.ts is stale: run npm run generate\n';
    expect(generate('--check')).toEqual({ status: 1, out: '', err: stale });
    expect(generate()).toEqual({
      status: 0,
      out: 'handlers/ads/types.ts written\n',
      err: '',
    });
  });
});
