import { expect, test } from '@jest/globals';
import { countByRule, printTable } from '../../../../scripts/conformance/rules';

const rules = ['X01', 'X02', 'P01', 'P02'].map((id) => ({ id, line: `line of ${id}` }));

const results = [
  { ancestorTitles: ['X01 a group'], title: 'a case', status: 'passed' },
  { ancestorTitles: ['X01 a group'], title: 'X02 another', status: 'passed' },
  { ancestorTitles: [], title: 'X02 P01 both', status: 'failed' },
  { ancestorTitles: [], title: 'not X01 at the beginning', status: 'failed' },
  { ancestorTitles: ['X01 a group'], title: 'X01 twice in one name', status: 'pending' },
];

test('a test counts for the ids of its own title and of the groups around it', () => {
  const counts = countByRule(rules, results);
  expect(counts.map(({ id, passed, failed }) => [id, passed, failed])).toEqual([
    ['X01', 2, 0],
    ['X02', 1, 1],
    ['P01', 0, 1],
    ['P02', 0, 0],
  ]);
  expect(printTable(counts)).toBe(
    [
      'X01  passes      2  line of X01',
      'X02  FAILS 1     2  line of X02',
      'P01  FAILS 1     1  line of P01',
      'P02  NO TEST     0  line of P02',
      '1 of 4 rules hold',
      '',
    ].join('\n'),
  );
});
