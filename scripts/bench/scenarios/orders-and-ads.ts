/** Scenarios of orders and advertisements. */

import { newAd, newOrder, orderIds, storedOrder } from '../pets';
import { expectSame, jsonOf } from './expect';
import {
  byAdsToken,
  get,
  jsonBody,
  orderPath,
  type Scenario,
  type Setting,
  type Step,
  scenarioOf,
  spread,
  write,
} from './scenario';

/** Places an order and leaves its id to the server. */
export const placeOrderStep = (_setting: Setting, number: number): Step => {
  const order = newOrder(number);
  return {
    request: write('POST', orderPath(), jsonBody(order)),
    status: 200,
    async check(response, ask) {
      const { id, ...rest } = jsonOf(response) as ReturnType<typeof storedOrder>;
      expectSame(Number.isSafeInteger(id), true);
      expectSame(rest, order);
      // The ids 6 to 10 are refused by contract.
      if (id > 5 && id < 11) return;
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

const addAdStep = ({ credentials }: Setting, number: number): Step => ({
  request: write('POST', '/ads/ad', jsonBody(newAd(number)), byAdsToken(credentials)),
  status: 200,
  check: (response) => expectSame(jsonOf(response), newAd(number)),
});

export const orderAndAdScenarios: readonly Scenario[] = [
  scenarioOf('read', 'read-order', 'Read an order (JSON)', readOrderStep),
  scenarioOf('write', 'place-order', 'Place an order (JSON)', placeOrderStep, { quick: true }),
  scenarioOf('write', 'add-ad', 'Publish an ad (JSON)', addAdStep),
];
