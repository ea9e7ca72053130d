/** Placing and deleting orders. */

import { type Fields, stateWithoutId } from '../history/states';
import { type Client, fieldsIn, requestChange, without } from './client';
import { withJson } from './http-client';

/** Every order is unlike all others by the pet that it names. */
const newOrder = ({ random, shared }: Client): Fields => {
  shared.serial += 1;
  return {
    petId: 1_000_000 + shared.serial,
    quantity: 1 + random.below(9),
    shipDate: '2030-01-01T12:00:00Z',
    status: random.pick(['placed', 'approved', 'delivered']),
    complete: random.chance(0.5),
  };
};

const place = async (client: Client, given: number | undefined): Promise<string | undefined> => {
  const order = newOrder(client);
  const keyIn = (body: Buffer): string => String(fieldsIn(body)['id']);
  const outcome = await requestChange(client, {
    request: withJson(
      { method: 'POST', path: '/petstore/store/order' },
      given === undefined ? order : { id: given, ...order },
    ),
    change: {
      operation: 'placeOrder',
      steps: [{ kind: 'order', key: given?.toString(), to: stateWithoutId(order) }],
    },
    stepsIn: (body) => [{ kind: 'order', key: keyIn(body), to: stateWithoutId(fieldsIn(body)) }],
  });
  return outcome.kind === 'made' ? keyIn(outcome.body) : undefined;
};

/** Ids below 1000 alone can be deleted; the counter is beyond, so these are below 0. */
export const placeOrder = async (client: Client): Promise<void> => {
  if (client.random.chance(0.5)) {
    await place(client, undefined);
    return;
  }
  client.shared.serial += 1;
  const key = await place(client, -client.shared.serial);
  if (key !== undefined) client.orders.push(key);
};

export const deleteOrder = async (client: Client): Promise<void> => {
  const key = client.random.pickAny(client.orders);
  if (key === undefined) return placeOrder(client);
  client.orders = without(client.orders, key);
  const outcome = await requestChange(client, {
    request: { method: 'DELETE', path: `/petstore/store/order/${key}` },
    change: { operation: 'deleteOrder', steps: [{ kind: 'order', key, to: undefined }] },
  });
  if (outcome.kind === 'refused') client.orders.push(key);
};
