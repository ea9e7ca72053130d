/** The problems of a step, and a step for every operation. */

import { describe, expect, test } from '@jest/globals';
import { type Step, steps } from '../../../../scripts/interoperability/steps';
import { problemsOf, unaskedOperations } from '../../../../scripts/interoperability/violations';
import { loadApiDocument } from '../../../../src/engine';

const step: Step = { service: 'petstore', operationId: 'getPetById', status: 200 };
const header = (...places: string[]): string =>
  JSON.stringify(places.map((place) => ({ location: place.split('.'), message: 'is wrong' })));
const inResponse = 'response.body.name: is wrong';
const inRequest = 'request.body.name: is wrong';

describe('problems of a step', () => {
  test.each<[title: string, part: Partial<Step>, status: number, places: string[], want: string[]]>(
    [
      ['none', {}, 200, [], []],
      ['another status', {}, 404, [], ['the status is 404, not 200: {}']],
      ['a fault in the response', {}, 200, ['response.body.name'], [inResponse]],
      ['a fault in the request', {}, 200, ['request.body.name'], [inRequest]],
      [
        'faults in both, where the request is wrong on purpose',
        { isWrong: true },
        200,
        ['request.body.name', 'response.body.name'],
        [inResponse],
      ],
      ['a misjudged request', { misjudged: 'request.body.name' }, 200, ['request.body.name'], []],
      [
        'a misjudged request that is no longer misjudged',
        { misjudged: 'request.body.name' },
        200,
        [],
        ['request.body.name: Prism no longer finds a fault here; remove the exception'],
      ],
    ],
  )('%s', (_title, part, status, places, want) => {
    const violations = places.length === 0 ? null : header(...places);
    expect(problemsOf({ ...step, ...part }, { status, text: '{}', violations })).toEqual(want);
  });
});

describe('the steps', () => {
  test.each(['petstore', 'ads'])('asks every operation of %s', async (service) => {
    const { operations } = await loadApiDocument(`specs/${service}.yaml`);
    const own = operations.map(({ operationId }) => ({ service, operationId }));
    expect(unaskedOperations(own, steps)).toEqual([]);
    const unasked = [{ service, operationId: 'other' }];
    expect(unaskedOperations(unasked, steps)).toEqual([`${service} other`]);
  });
});
