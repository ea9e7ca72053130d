/** Made-up histories: whatever a crash must never do is seen, and whatever it may do is not held against it. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compare } from '../../../../scripts/crash-test/history/compare';
import {
  type Change,
  type History,
  type Kind,
  openHistory,
  type State,
  type Thing,
} from '../../../../scripts/crash-test/history/history';
import { casesOf, rowsOf, tableOf } from '../../../support/text-cases';

const whole: ReadonlySet<Kind> = new Set(['pet', 'user']);

const step = (kind: Kind, key: string, to: State) => ({ kind, key, to });

const added = step('pet', '11', 'Rex v1');
const changed = step('pet', '11', 'Rex v2');
const deleted = step('pet', '11', undefined);
const listed = [step('user', 'ann', 'Ann'), step('user', 'bob', 'Bob')];
const login = (to: State) => step('login', 'token', to);

const addition: Change = {
  operation: 'addPet',
  steps: [{ kind: 'pet', key: undefined, to: 'Rex v1' }],
};

/** The records of a client, by the names that the cases have for them. */
const records: Readonly<Record<string, (history: History) => void>> = {
  nothing: () => undefined,
  added: (history) => history.recordMade([added]),
  changed: (history) => history.recordMade([changed]),
  deleted: (history) => history.recordMade([deleted]),
  listed: (history) => history.recordMade(listed),
  'added as 12': (history) => history.recordMade([step('pet', '12', 'Rex v1')]),
  'signed in': (history) => history.recordMade([login('live')]),
  'signed out': (history) => history.recordMade([login(undefined)]),
  numbered: (history) => history.recordMade([step('number', '7', 'ann')]),
  'refused 11': (history) => history.recordConflict('pet', '11'),
  'refused 12': (history) => history.recordConflict('pet', '12'),
  '?added': (history) => history.recordIndeterminate(addition),
  '?added as 12': (history) =>
    history.recordIndeterminate({ operation: 'addPet', steps: [step('pet', '12', 'Max v1')] }),
  '?changed': (history) =>
    history.recordIndeterminate({ operation: 'updatePet', steps: [changed] }),
  '?listed': (history) =>
    history.recordIndeterminate({ operation: 'createUsersWithListInput', steps: listed }),
};

/** Reads things such as `pet 11 Rex v1; user ann Ann`; `-` is none. */
const thingsIn = (text: string): Thing[] =>
  [...text.matchAll(/(\w+) (\w+) ([^;]+)/g)].map(([, kind, key = '', state]) => ({
    kind: kind as Kind,
    key,
    state,
  }));

const compared = (recorded: string, things: string) => {
  const history = openHistory();
  for (const one of recorded.split(', ')) records[one]?.(history);
  return compare(history, { whole, things: thingsIn(things) });
};

const cases = join(__dirname, 'compare.cases.txt');

describe('what must never be', () => {
  test.each(tableOf(cases, 'what must never be'))('%s', (_title, ...row) => {
    const [recorded = '', things = '', told = ''] = row;
    const { violations } = compared(recorded, things);
    expect(violations).toHaveLength(1);
    const at = told.indexOf(': ');
    expect(violations[0]?.kind).toBe(told.slice(0, at));
    expect(violations[0]?.text).toContain(told.slice(at + 2));
  });
});

describe('what may be', () => {
  test.each(tableOf(cases, 'what may be'))('%s', (_title, ...row) => {
    const [recorded = '', things = '', settled = '', made = ''] = row;
    const verdict = compared(recorded, things);
    expect(verdict.violations).toEqual([]);
    expect(verdict.resolvedAsMade).toBe(Number(made));
    expect(verdict.settled.map(({ kind, key, to }) => ({ kind, key, state: to }))).toEqual(
      thingsIn(settled),
    );
  });
});

test('each record is of a case, and each case of records', () => {
  const used = casesOf(cases).flatMap(([, lines]) =>
    rowsOf(lines).flatMap(([, recorded = '']) => recorded.split(', ')),
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(records).sort());
});

test('what a comparison settled is acknowledged from then on', () => {
  const history = openHistory();
  history.recordIndeterminate(addition);
  const things = thingsIn('pet 11 Rex v1');
  history.resolve(compare(history, { whole, things }).settled);
  expect(history.indeterminate).toEqual([]);
  expect(compare(history, { whole, things: [] }).violations).toEqual([
    { kind: 'lost', text: 'pet 11 is not there: Rex v1' },
  ]);
});
