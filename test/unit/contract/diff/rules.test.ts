/** The ids of rules, and those of another tool that their page maps to them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { diffRules } from '../../../../src/contract/diff/rules/rules';

const mapped = readFileSync(join(rootFolder, 'src/contract/diff/oasdiff.md'), 'utf8');

test('ids are in kebab case', () => {
  expect(Object.keys(diffRules).filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
});

test('what ids of another tool are mapped to is there', () => {
  const targets = [...mapped.matchAll(/^\| (?!oasdiff).* \| (.*) \|$/gm)]
    .map(([, target = '']) => target)
    .filter((target) => !target.startsWith('–'))
    .flatMap((target) => target.split(', '));
  expect(targets.length).toBeGreaterThan(70);
  expect(targets.filter((target) => !Object.hasOwn(diffRules, target))).toEqual([]);
});
