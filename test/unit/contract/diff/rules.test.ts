/** The table of rules in the documentation, and the ids of another tool that it maps to them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { diffRules, isDiffRule } from '../../../../src/contract/diff/rules/rules';

const page = readFileSync(join(rootFolder, 'src/contract/diff/rules.md'), 'utf8');
const [own = '', , mapped = ''] = page.split(/## (?:Webhooks and callbacks|Rules of oasdiff)\n/);

/** The rows of tables, without their heads. */
const rowsIn = (text: string): string[][] =>
  [...text.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter(([first]) => first !== 'Rule' && first !== 'oasdiff');

test('the table lists each rule, as it weighs', () => {
  const rules = Object.entries(diffRules).map(([id, { severity, sentence }]) => [
    id,
    severity.request,
    severity.response,
    sentence,
  ]);
  expect(rowsIn(own)).toEqual(rules);
});

test('a change of the whole document weighs as in requests', () => {
  const others = Object.entries(diffRules).filter(
    ([, { severity }]) => severity.document !== severity.request,
  );
  expect(others).toEqual([]);
});

test('ids are in kebab case', () => {
  expect(Object.keys(diffRules).filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
});

test('what ids of another tool are mapped to is there', () => {
  const targets = rowsIn(mapped)
    .map(([, target = '']) => target)
    .filter((target) => !target.startsWith('–'))
    .flatMap((target) => target.split(', '));
  expect(targets.length).toBeGreaterThan(70);
  expect(targets.filter((target) => !isDiffRule(target))).toEqual([]);
});
