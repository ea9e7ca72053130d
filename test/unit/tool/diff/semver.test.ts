/** `diff --semver`: the version of a document rises with its changes. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { useWorkingFolder } from '../../../support/temporary-folder';
import { tableOf } from '../../../support/text-cases';
import { head } from '../../document/bundle/source-folder';
import { runCommand } from '../run-command';

useWorkingFolder();

const limits: Readonly<Record<string, number>> = { breaking: 4, same: 5, compatible: 6 };

const documentOf = (
  version: string,
  maxLength: number,
): string => `${head.replace(/version: [^}]*/, `version: '${version}' `)}paths:
  /a:
    get:
      parameters: [{name: q, in: query, schema: {type: string, maxLength: ${maxLength}}}]
      responses: {'200': {description: A}}
`;

const diff = (old: string, now: string, change: string, ...args: readonly string[]) => {
  const contents = {
    'old.yaml': documentOf(old, Number(limits['same'])),
    'new.yaml': documentOf(now, Number(limits[change])),
    'allow.yaml': 'allow: [{rule: max-length-lowered, reason: none}]',
  };
  for (const [name, text] of Object.entries(contents)) writeFileSync(name, text);
  return runCommand('diff', 'old.yaml', 'new.yaml', '--semver', '--fail-on', 'none', ...args);
};

test.each(
  tableOf(join(__dirname, 'semver.cases.txt'), 'versions, the change between them, and the fault'),
)('%s to %s, %s: %s', async (old = '', now = '', change = '', fault) => {
  const { exitCode, out } = await diff(old, now, change);
  const faults = out.split('\n').filter((line) => line.includes(' error: '));
  const want = fault === undefined ? [] : [`new.yaml:2:30 error: ${fault} (/info/version)`];
  expect([exitCode, faults]).toEqual([want.length, want]);
});

test.each(['json', 'markdown', 'junit', 'sarif'])('%s has the fault', async (format) => {
  const { exitCode, out } = await diff('1.2.3', '1.2.4', 'breaking', '--format', format);
  expect([exitCode, out]).toEqual([
    1,
    expect.stringMatching(/The version is 1\.2\.4 after 1\.2\.3/),
  ]);
  expect(out).toContain('/info/version');
});

test('accepted changes do not count', async () => {
  const { exitCode } = await diff('1.2.3', '1.2.3', 'breaking', '--allow', 'allow.yaml');
  expect(exitCode).toBe(0);
});
