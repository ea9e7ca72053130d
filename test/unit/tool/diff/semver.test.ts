/** `diff --semver`: the version of a document rises with its changes. */

import { afterEach, expect, test } from '@jest/globals';
import { head, writeFiles } from '../../document/bundle/source-folder';
import { runCommand } from '../run-command';

const before = process.cwd();
afterEach(() => process.chdir(before));

const limits = { breaking: 4, same: 5, compatible: 6 };

const documentOf = (
  version: string,
  maxLength: number,
): string => `${head.replace(/version: [^}]*/, `version: '${version}' `)}paths:
  /a:
    get:
      parameters: [{name: q, in: query, schema: {type: string, maxLength: ${maxLength}}}]
      responses: {'200': {description: A}}
`;

const diff = (
  old: string,
  now: string,
  change: keyof typeof limits,
  ...args: readonly string[]
) => {
  const contents = {
    'old.yaml': documentOf(old, limits.same),
    'new.yaml': documentOf(now, limits[change]),
    'allow.yaml': 'allow: [{rule: max-length-lowered, reason: none}]',
  };
  process.chdir(writeFiles(contents));
  return runCommand('diff', 'old.yaml', 'new.yaml', '--semver', '--fail-on', 'none', ...args);
};

const major = 'with breaking changes. Raise its major number.';
const minor = 'changes. Raise its minor number.';
const passes = undefined;

test.each<[old: string, now: string, change: keyof typeof limits, fault: string | undefined]>([
  ['1.2.3', '2.0.0', 'breaking', passes],
  ['9.2.3', '11.1.0-rc.1', 'breaking', passes],
  ['0.2.3', '0.3.0', 'breaking', passes],
  ['1.2.3', '1.3.0+build.1', 'compatible', passes],
  ['1.2.3', '2.0.0', 'compatible', passes],
  ['1.2.3', '1.2.3', 'same', passes],
  ['1.2.3', '1.2.4', 'same', passes],
  ['1.2.3-rc.1', '1.2.3', 'breaking', passes],
  ['1.2.3-rc.9', '1.2.3-rc.10', 'breaking', passes],
  ['1.2.3-1', '1.2.3-a', 'breaking', passes],
  ['1.2.3-a', '1.2.3-a.1', 'breaking', passes],
  ['the first', '1.0.0', 'breaking', passes],
  ['1.2.3', '1.3.0', 'breaking', `The version is 1.3.0 after 1.2.3, ${major}`],
  ['1.2.3', '1.2.3', 'breaking', `The version is 1.2.3 after 1.2.3, ${major}`],
  ['0.2.3', '0.2.4', 'breaking', `The version is 0.2.4 after 0.2.3, with breaking ${minor}`],
  ['1.2.3', '1.2.4', 'compatible', `The version is 1.2.4 after 1.2.3, with ${minor}`],
  ['1.2.3', '1.2.3+a', 'compatible', `The version is 1.2.3+a after 1.2.3, with ${minor}`],
  [
    '1.2.3-a',
    '1.2.3-a',
    'compatible',
    'The version is 1.2.3-a after 1.2.3-a, with changes. Raise it.',
  ],
  ['1.10.0', '1.9.0', 'same', 'The version 1.9.0 is lower than 1.10.0 before. Raise it.'],
  ['1.2.3', '1.2.3-rc.1', 'same', 'The version 1.2.3-rc.1 is lower than 1.2.3 before. Raise it.'],
  ['1.2.3-a.1', '1.2.3-a', 'same', 'The version 1.2.3-a is lower than 1.2.3-a.1 before. Raise it.'],
  ['1.2.3', 'v2', 'breaking', 'The version "v2" is no semantic version. Write one such as 1.0.0.'],
  [
    '1.2',
    '02.0.0',
    'same',
    'The version "02.0.0" is no semantic version. Write one such as 1.0.0.',
  ],
])('%s to %s, %s: %s', async (old, now, change, fault) => {
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
