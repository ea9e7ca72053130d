/** The list of packages in SECURITY.md is the one of the packages that are installed. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  installedPackages,
  listProblems,
  readPackageList,
} from '../../../../scripts/advisories/listed-packages';
import { rootFolder } from '../../../../scripts/root-folder';

const textOf = (file: string): string => readFileSync(join(rootFolder, file), 'utf8');

test('the list of this project is up to date', () => {
  const installed = installedPackages(JSON.parse(textOf('package-lock.json')));
  expect(installed.size).toBeGreaterThan(20);
  expect(listProblems(readPackageList(textOf('src/server/SECURITY.md')), installed)).toEqual([]);
});

const lock = {
  packages: {
    '': { dependencies: { express: '^5.0.0' }, optionalDependencies: { '@a/b': '1.0.0' } },
    'node_modules/express': { version: '5.3.0' },
    'node_modules/@a/b': { version: '1.0.0' },
    'node_modules/qs': { version: '6.17.1' },
  },
};

const row = (name: string, version: string): string => `| ${name} | ${version} | none |`;

const listOf = (...rows: readonly string[]): string =>
  [
    ...[
      '# Security',
      '| qs | 1.0.0 | elsewhere |',
      '## Packages',
      '',
      'Last look: 2026-11-24. By name.',
    ],
    ...['', '| Package | Version | Found |', '|---|---|---|', ...rows],
  ].join('\n');

const express = row('express', '5.3.0');
const scoped = row('@a/b', '1.0.0');

test.each<[string, string, readonly string[]]>([
  ['the same packages', listOf(express, scoped), []],
  [
    'the same before another section',
    `${listOf(scoped, express)}\n## More\n${row('qs', '1.0.0')}`,
    [],
  ],
  [
    'another version',
    listOf(row('express', '5.2.0'), scoped),
    ['express 5.3.0 is installed, the list has 5.2.0'],
  ],
  ['a package less', listOf(express), ['@a/b 1.0.0 is not in the list']],
  [
    'a package more',
    listOf(express, scoped, row('qs', '6.17.1')),
    ['qs is in the list, and no direct dependency'],
  ],
  [
    'no date',
    listOf(express, scoped).replace('Last look: ', ''),
    ['the list does not say when the last look was'],
  ],
  [
    'no list at all',
    '# Security',
    [
      'the list does not say when the last look was',
      'express 5.3.0 is not in the list',
      '@a/b 1.0.0 is not in the list',
    ],
  ],
])('a list with %s', (_, markdown, problems) => {
  expect(listProblems(readPackageList(markdown), installedPackages(lock))).toEqual(problems);
});
