/** The ways of reading the same things agree, or it is said where they differ. */

import { expect, test } from '@jest/globals';
import { compareViews, type Views } from '../../../../scripts/crash-test/history/views';

const rex = {
  id: 11,
  name: 'Rex',
  status: 'sold',
  photoUrls: ['https://photos.example/1'],
  tags: [{ name: 'big' }, { id: 2 }],
};
const max = { id: 12, name: 'Max', status: 'available', photoUrls: [] };

const agreeing: Views = {
  byStatus: new Map([
    ['available', [max]],
    ['pending', []],
    ['sold', [rex]],
  ]),
  byId: new Map([
    ['11', { ...rex }],
    ['13', undefined],
  ]),
  byTag: new Map([
    ['big', [rex]],
    ['small', []],
  ]),
  inventory: { available: 1, pending: 0, sold: 1 },
  tables: { petIds: ['12', '11'], faults: [] },
  differences: [],
};

const { tables } = agreeing;

test('nothing is said of views that agree', () => {
  expect(compareViews(agreeing)).toEqual([]);
});

const containing = (text: string): string => expect.stringContaining(text) as unknown as string;
const max12 = '{"id":12,"name":"Max","photoUrls":[],"status":"available"}';
const kept = (changes: Partial<Views['tables']>) => ({ tables: { ...tables, ...changes } });
test.each<[title: string, views: Partial<Views>, ...texts: string[]]>([
  [
    'a pet that is found by its id alone',
    { byId: new Map([['13', { id: 13, name: 'Leo' }]]) },
    'Pet 13 is by its id {"id":13,"name":"Leo"}, in the lists null',
  ],
  [
    'a pet that is in the lists alone',
    { byId: new Map([['12', undefined]]) },
    `Pet 12 is by its id null, in the lists ${max12}`,
  ],
  [
    'a pet that its tag does not find',
    { byTag: new Map([['big', []]]) },
    containing('"name":"Rex"'),
  ],
  [
    'a pet that a tag finds which it does not have',
    { byTag: new Map([['small', [max]]]) },
    containing('is in the list of tag small, not in'),
  ],
  [
    'a count that is wrong',
    { inventory: { available: 1, pending: 0, sold: 2 } },
    'The inventory counts 2 pets sold; the list has 1',
  ],
  [
    'a pet in the list of another status',
    { byStatus: new Map([['sold', [rex, max]]]), inventory: { sold: 2 } },
    containing('The list of status sold has'),
  ],
  [
    'a list that has a pet twice',
    {
      byStatus: new Map([['sold', [rex, rex]]]),
      inventory: { sold: 2 },
      ...kept({ petIds: ['11'] }),
    },
    'The list of status sold is not ordered by id, each once',
  ],
  [
    'a row that no list has',
    kept({ petIds: ['11', '12', '13'] }),
    '13 is in the table of pets, not in the lists by status',
  ],
  [
    'a finding of the database',
    kept({ faults: ['row 3'] }),
    'The check of the database reports: row 3',
  ],
  ['a response that differs from the table', { differences: ['order 5'] }, 'order 5'],
])('%s', (_title, views, ...texts) => {
  const violations = compareViews({ ...agreeing, ...views });
  expect(violations.map(({ text }) => text)).toEqual(texts);
  expect(new Set(violations.map(({ kind }) => kind))).toEqual(new Set(['torn']));
});
