/** What a client writes down of the answers that it gets, and of those that it does not get. */

import { expect, test } from '@jest/globals';
import type { Change } from '../../../../scripts/crash-test/history/change';
import { openLedger } from '../../../../scripts/crash-test/history/history';
import { petState } from '../../../../scripts/crash-test/history/states';
import type { Answer, Failure } from '../../../../scripts/crash-test/http/ask';
import { attempt, type Client, fieldsIn } from '../../../../scripts/crash-test/load/client';
import { randomOf } from '../../../../scripts/crash-test/random';

const asked = petState({ name: 'Rex', photoUrls: [] });
const change: Change = {
  operation: 'addPet',
  steps: [{ kind: 'pet', key: undefined, to: asked }],
};

const answer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(body)),
});

const rex = { id: 11, name: 'Rex', photoUrls: [] };

/** Asks once, after pets 1 to 10 were acknowledged, and was answered so. */
const afterAsking = async (response: Answer | Failure) => {
  const ledger = openLedger();
  ledger.resolve([{ kind: 'pet', key: '10', to: 'Dory' }]);
  const client: Client = {
    number: 0,
    prefix: 'r1',
    random: randomOf(1),
    asker: { ask: async () => response, close: () => undefined },
    ledger,
    credentials: { pets: 'p', ads: 'a', login: 'l' },
    shared: {
      given: new Set(),
      highest: 0,
      album: undefined,
      albumKeeper: undefined,
      serial: 0,
      users: [],
    },
    pets: [],
    orders: [],
    logins: [],
  };
  const outcome = await attempt(client, {
    question: { method: 'POST', path: '/petstore/pet' },
    change,
    refusals: [405],
    stepsIn: (body) => {
      const pet = fieldsIn(body);
      return [{ kind: 'pet', key: String(pet['id']), to: petState(pet) }];
    },
  });
  return {
    outcome: outcome.kind,
    kept: ledger.settled('pet').get('11'),
    doubts: ledger.doubts,
    blamed: ledger.violations.map(({ kind }) => kind),
    tally: ledger.tally,
  };
};

const tallies = {
  made: { made: 1, refused: 0, doubtful: 0 },
  refused: { made: 0, refused: 1, doubtful: 0 },
  'in doubt': { made: 0, refused: 0, doubtful: 1 },
};

test.each<
  [title: string, response: Answer | Failure, outcome: keyof typeof tallies, blamed: string[]]
>([
  ['200 acknowledges', answer(200, rex), 'made', []],
  ['200 with other content is no good', answer(200, { ...rex, name: 'Max' }), 'made', ['answer']],
  ['an id of before is no good', answer(200, { ...rex, id: 10 }), 'made', ['duplicated']],
  ['a status that was to be expected refuses', answer(405, {}), 'refused', []],
  [
    '503 that says when to ask again refuses',
    answer(503, {}, { 'retry-after': '2' }),
    'refused',
    [],
  ],
  ['503 that does not leaves a doubt', answer(503, {}), 'in doubt', []],
  ['500 leaves a doubt, and is no good', answer(500, {}), 'in doubt', ['answer']],
  ['an unexpected status leaves a doubt, and is no good', answer(404, {}), 'in doubt', ['answer']],
  ['nobody there: nothing was asked', 'unsent', 'refused', []],
  ['a broken connection leaves a doubt', 'broken', 'in doubt', []],
  ['silence leaves a doubt, and is no good', 'silent', 'in doubt', ['hang']],
])('%s', async (_title, response, outcome, blamed) => {
  const after = await afterAsking(response);
  expect(after.outcome).toBe(outcome);
  expect(after.blamed).toEqual(blamed);
  expect(after.tally).toEqual(tallies[outcome]);
  expect(after.doubts).toEqual(outcome === 'in doubt' ? [change] : []);
});

test('what was acknowledged is kept under the id that was assigned', async () => {
  expect((await afterAsking(answer(200, rex))).kept).toBe(asked);
});
