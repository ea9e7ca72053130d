/** Scenarios of orders and advertisements. */

import { type BenchOrder, newAd, newOrder, orderIds, storedOrder } from '../pets';
import { expectSame, jsonOf } from './expect';
import {
  byAdsToken,
  get,
  json,
  orderPath,
  type Scenario,
  type Setting,
  type Step,
  spread,
  stepsOf,
  write,
} from './scenario';

/** Places an order and leaves its id to the server. */
export const placeOrderStep = (_setting: Setting, number: number): Step => {
  const order = newOrder(number);
  return {
    request: write('POST', orderPath(), json(order)),
    status: 200,
    async check(response, ask) {
      const { id, ...rest } = jsonOf(response) as BenchOrder;
      expectSame(Number.isSafeInteger(id), true);
      expectSame(rest, order);
      // The ids 6 to 10 are refused by contract.
      if (id === undefined || (id > 5 && id < 11)) return;
      expectSame(jsonOf(await ask(get(orderPath(id)))), { id, ...order });
    },
  };
};

/** Reads one of the stored orders. */
export const readOrderStep = (_setting: Setting, number: number): Step => {
  const id = orderIds[spread(number, orderIds.length) - 1] ?? 0;
  return {
    request: get(orderPath(id)),
    status: 200,
    check: (response) => expectSame(jsonOf(response), storedOrder(id)),
  };
};

export const orderAndAdScenarios: readonly Scenario[] = [
  {
    name: 'read-order',
    title: () => 'Read an order (JSON)',
    phase: 'read',
    steps: (setting) => stepsOf((number) => readOrderStep(setting, number)),
  },
  {
    name: 'place-order',
    title: () => 'Place an order (JSON)',
    phase: 'write',
    quick: true,
    steps: (setting) => stepsOf((number) => placeOrderStep(setting, number)),
  },
  {
    name: 'add-ad',
    title: () => 'Publish an ad (JSON)',
    phase: 'write',
    steps: ({ credentials }) =>
      stepsOf((number) => ({
        request: write('POST', '/ads/ad', json(newAd(number)), byAdsToken(credentials)),
        status: 200,
        check: (response) => expectSame(jsonOf(response), newAd(number)),
      })),
  },
];
