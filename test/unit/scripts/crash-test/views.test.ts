/** The ways of reading the same things agree, or it is said where they differ. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { compareViews, type Views } from '../../../../scripts/crash-test/history/views';
import { tableOf } from '../../../support/text-cases';

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

type Json = Readonly<Record<string, object | undefined>>;

/** Reads some views from a case; `REX` and `MAX` are the pets. */
const viewsIn = (text: string): Partial<Views> => {
  const written = text
    .replaceAll('REX', JSON.stringify(rex))
    .replaceAll('MAX', JSON.stringify(max));
  const views: Readonly<Record<string, Json>> = JSON.parse(written);
  return Object.fromEntries(
    Object.entries(views).map(([name, view]) => {
      if (name === 'tables') return [name, { ...tables, ...view }];
      if (!name.startsWith('by')) return [name, view];
      return [name, new Map(Object.entries(view).map(([key, one]) => [key, one ?? undefined]))];
    }),
  );
};

const cases = join(__dirname, 'views.cases.txt');

test.each(tableOf(cases, 'views that differ'))('%s', (_title, views = '', wanted = '') => {
  const violations = compareViews({ ...agreeing, ...viewsIn(views) });
  const text = wanted.startsWith('… ') ? expect.stringContaining(wanted.slice(2)) : wanted;
  expect(violations.map((violation) => violation.text)).toEqual([text]);
  expect(new Set(violations.map(({ kind }) => kind))).toEqual(new Set(['torn']));
});
