/** Made-up histories: whatever a crash must never do is seen, and whatever it may do is not held against it. */

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

const whole: ReadonlySet<Kind> = new Set(['pet', 'user']);

const step = (kind: Kind, key: string, to: State) => ({ kind, key, to });
const thing = (kind: Kind, key: string, state: State): Thing => ({ kind, key, state });
const rex = (state: State): Thing => thing('pet', '11', state);
const user = (key: string, state: State): Thing => thing('user', key, state);

const added = step('pet', '11', 'Rex v1');
const changed = step('pet', '11', 'Rex v2');
const deleted = step('pet', '11', undefined);

const addition: Change = {
  operation: 'addPet',
  steps: [{ kind: 'pet', key: undefined, to: 'Rex v1' }],
};
const givenAddition: Change = { operation: 'addPet', steps: [step('pet', '12', 'Max v1')] };
const update: Change = { operation: 'updatePet', steps: [changed] };
const list: Change = {
  operation: 'createUsersWithListInput',
  steps: [step('user', 'ann', 'Ann'), step('user', 'bob', 'Bob')],
};

type Write = (history: History) => void;

const indeterminate =
  (...changes: readonly Change[]): Write =>
  (history) =>
    changes.forEach(history.recordIndeterminate);

const addedThen =
  (next?: Write): Write =>
  (history) => {
    history.recordMade([added]);
    next?.(history);
  };

const madeThen = (next: typeof changed | typeof deleted): Write =>
  addedThen((history) => history.recordMade([next]));

const compared = (write: Write, things: readonly Thing[]) => {
  const history = openHistory();
  write(history);
  return compare(history, { whole, things });
};

describe('what must never be', () => {
  test.each<[title: string, write: Write, things: Thing[], told: string]>([
    ['an addition that is lost', addedThen(), [], 'lost: pet 11 is not there: Rex v1'],
    [
      'a change that is lost',
      madeThen(changed),
      [rex('Rex v1')],
      'altered: pet 11 was acknowledged as Rex v2 and is Rex v1',
    ],
    [
      'a change that was made in part',
      madeThen(changed),
      [rex('Rex v2 without')],
      'altered: and is Rex v2 without',
    ],
    [
      'a change that nobody asked for',
      addedThen(),
      [rex('Rex v2')],
      'altered: was acknowledged as Rex v1 and is Rex v2',
    ],
    [
      'a deletion that is lost',
      madeThen(deleted),
      [rex('Rex v1')],
      'revived: pet 11 was deleted and is there',
    ],
    [
      'a thing that is there twice under its key',
      addedThen(),
      [rex('Rex v1'), rex('Rex v1')],
      'duplicated: pet 11 is there twice',
    ],
    [
      'an acknowledged addition that was done again',
      addedThen(),
      [rex('Rex v1'), thing('pet', '12', 'Rex v1')],
      'duplicated: pet 11 is there again as pet 12',
    ],
    [
      'an acknowledged addition that was done again before it was changed',
      madeThen(changed),
      [rex('Rex v2'), thing('pet', '12', 'Rex v1')],
      'duplicated: pet 11 is there again as pet 12',
    ],
    [
      'an indeterminate addition that was done twice',
      indeterminate(addition),
      [rex('Rex v1'), thing('pet', '12', 'Rex v1')],
      'duplicated: addPet, indeterminate, was done as pet 11 and 12',
    ],
    [
      'something that nobody asked for',
      indeterminate(addition),
      [rex('Bello')],
      'unknown: pet 11, which no client asked for, is there: Bello',
    ],
    [
      'a part of a list',
      indeterminate(list),
      [user('ann', 'Ann')],
      'torn: user bob: was (not there), asked for Bob, is (not there)',
    ],
    [
      'a list of which one was changed on the way',
      indeterminate(list),
      [user('ann', 'Ann'), user('bob', 'B')],
      'torn: asked for Bob, is B',
    ],
    [
      'a part of an acknowledged list',
      (history) => history.recordMade([step('user', 'ann', 'Ann'), step('user', 'bob', 'Bob')]),
      [user('bob', 'Bob')],
      'lost: user ann is not there',
    ],
    [
      'an indeterminate change that is neither what was nor what was asked for',
      addedThen(indeterminate(update)),
      [rex('Rex v')],
      'torn: pet 11: was Rex v1, asked for Rex v2, is Rex v',
    ],
    [
      'a pet that was lost while its change was indeterminate',
      addedThen(indeterminate(update)),
      [],
      'torn: pet 11: was Rex v1, asked for Rex v2, is (not there)',
    ],
    [
      'an id that was refused as being in use and is nobody’s',
      (history) => history.recordConflict('pet', '12'),
      [],
      'unknown: pet 12 was refused as being in use',
    ],
    [
      'a logout that is lost',
      (history) => {
        history.recordMade([step('login', 'token', 'live')]);
        history.recordMade([step('login', 'token', undefined)]);
      },
      [thing('login', 'token', 'live')],
      'revived: login token was deleted and is there',
    ],
    [
      'a user’s id that has become another’s',
      (history) => history.recordMade([step('number', '7', 'ann')]),
      [thing('number', '7', 'bob')],
      'altered: number 7 was acknowledged as ann and is bob',
    ],
  ])('%s', (_title, write, things, told) => {
    const { violations } = compared(write, things);
    expect(violations).toHaveLength(1);
    const at = told.indexOf(': ');
    expect(violations[0]?.kind).toBe(told.slice(0, at));
    expect(violations[0]?.text).toContain(told.slice(at + 2));
  });
});

describe('what may be', () => {
  test.each<[title: string, write: Write, things: Thing[], settled: Thing[], made: number]>([
    ['nothing', () => undefined, [], [], 0],
    ['what was acknowledged', addedThen(), [rex('Rex v1')], [], 0],
    ['a deletion', madeThen(deleted), [], [], 0],
    ['an indeterminate addition that was not made', indeterminate(addition), [], [], 0],
    [
      'an indeterminate addition that was made',
      indeterminate(addition),
      [rex('Rex v1')],
      [rex('Rex v1')],
      1,
    ],
    [
      'an indeterminate change that was not made',
      addedThen(indeterminate(update)),
      [rex('Rex v1')],
      [],
      0,
    ],
    [
      'an indeterminate change that was made',
      addedThen(indeterminate(update)),
      [rex('Rex v2')],
      [rex('Rex v2')],
      1,
    ],
    ['an indeterminate list, none of it', indeterminate(list), [], [], 0],
    [
      'an indeterminate list, all of it',
      indeterminate(list),
      [user('ann', 'Ann'), user('bob', 'Bob')],
      [user('ann', 'Ann'), user('bob', 'Bob')],
      1,
    ],
    [
      'an id asked for indeterminate and assigned to another, acknowledged',
      (history) => {
        history.recordIndeterminate(givenAddition);
        history.recordMade([step('pet', '12', 'Rex v1')]);
      },
      [thing('pet', '12', 'Rex v1')],
      [],
      0,
    ],
    [
      'an id asked for indeterminate and assigned to another, indeterminate as well',
      indeterminate(givenAddition, addition),
      [thing('pet', '12', 'Rex v1')],
      [thing('pet', '12', 'Rex v1')],
      1,
    ],
    [
      'a refused id that was assigned indeterminate',
      (history) => {
        history.recordIndeterminate(addition);
        history.recordConflict('pet', '11');
      },
      [rex('Rex v1')],
      [rex('Rex v1')],
      1,
    ],
    [
      'a login that was not looked at',
      (history) => history.recordMade([step('login', 'token', 'live')]),
      [],
      [],
      0,
    ],
    [
      'an id of a user that is heard of for the first time',
      () => undefined,
      [thing('number', '7', 'ann')],
      [thing('number', '7', 'ann')],
      0,
    ],
  ])('%s', (_title, write, things, settled, made) => {
    const verdict = compared(write, things);
    expect(verdict.violations).toEqual([]);
    expect(verdict.resolvedAsMade).toBe(made);
    expect(verdict.settled.map(({ kind, key, to }) => thing(kind, key, to))).toEqual(settled);
  });
});

test('what a comparison settled is acknowledged from then on', () => {
  const history = openHistory();
  history.recordIndeterminate(addition);
  const things = [rex('Rex v1')];
  history.resolve(compare(history, { whole, things }).settled);
  expect(history.indeterminate).toEqual([]);
  expect(compare(history, { whole, things: [] }).violations).toEqual([
    { kind: 'lost', text: 'pet 11 is not there: Rex v1' },
  ]);
});
