/** The history that a client records of responses, and of missing ones. */

import { expect, test } from '@jest/globals';
import { type Change, openHistory } from '../../../../scripts/crash-test/history/history';
import { petState } from '../../../../scripts/crash-test/history/views';
import { type Client, fieldsIn, requestChange } from '../../../../scripts/crash-test/load/client';
import type { Failure, HttpResponse } from '../../../../scripts/crash-test/load/http-client';
import { randomOf } from '../../../../scripts/machine/random';

const asked = petState({ name: 'Rex', photoUrls: [] });
const change: Change = {
  operation: 'addPet',
  steps: [{ kind: 'pet', key: undefined, to: asked }],
};

const response = (status: number, body: unknown, headers = {}): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(body)),
});

const rex = { id: 11, name: 'Rex', photoUrls: [] };

/** Asks once, after pets 1 to 10 were acknowledged, and got so. */
const afterAsking = async (response: HttpResponse | Failure) => {
  const history = openHistory();
  history.resolve([{ kind: 'pet', key: '10', to: 'Dory' }]);
  const client: Client = {
    number: 0,
    prefix: 'r1',
    random: randomOf(1),
    http: { send: async () => response, close: () => undefined },
    history,
    credentials: { pets: 'p', ads: 'a', login: 'l' },
    shared: { given: new Set(), highest: 0, serial: 0, users: [] },
    pets: [],
    orders: [],
    logins: [],
  };
  const outcome = await requestChange(client, {
    request: { method: 'POST', path: '/petstore/pet' },
    change,
    refusals: [405],
    stepsIn: (body) => {
      const pet = fieldsIn(body);
      return [{ kind: 'pet', key: String(pet['id']), to: petState(pet) }];
    },
  });
  return {
    outcome: outcome.kind,
    kept: history.settled('pet').get('11'),
    indeterminate: history.indeterminate,
    reported: history.violations.map(({ kind }) => kind),
    tally: history.tally,
  };
};

type Outcome = 'made' | 'refused' | 'indeterminate';

test.each<[title: string, response: HttpResponse | Failure, outcome: Outcome, reported?: string]>([
  ['200 acknowledges', response(200, rex), 'made'],
  ['200 with other content', response(200, { ...rex, name: 'Max' }), 'made', 'response'],
  ['an id that was assigned before', response(200, { ...rex, id: 10 }), 'made', 'duplicated'],
  ['a status that was to be expected refuses', response(405, {}), 'refused'],
  ['503 that says when to try again', response(503, {}, { 'retry-after': '2' }), 'refused'],
  ['503 that does not', response(503, {}), 'indeterminate'],
  ['500 is a violation', response(500, {}), 'indeterminate', 'response'],
  ['an unexpected status is a violation', response(404, {}), 'indeterminate', 'response'],
  ['no server: nothing was sent', 'unsent', 'refused'],
  ['a broken connection', 'broken', 'indeterminate'],
  ['silence is a violation', 'silent', 'indeterminate', 'hang'],
])('%s', async (_title, response, outcome, ...reported) => {
  const after = await afterAsking(response);
  expect(after.outcome).toBe(outcome);
  expect(after.reported).toEqual(reported);
  expect(after.tally).toEqual({ made: 0, refused: 0, indeterminate: 0, [outcome]: 1 });
  expect(after.indeterminate).toEqual(outcome === 'indeterminate' ? [change] : []);
});

test('what was acknowledged is kept under the id that was assigned', async () => {
  expect((await afterAsking(response(200, rex))).kept).toBe(asked);
});
