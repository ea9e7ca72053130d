/** Placing and deleting orders, publishing ads. */

import { canonical, type Fields, stateWithoutId } from '../history/views';
import { type Client, fieldsIn, newMark, requestChange, without } from './client';

/** Makes an order that is unlike all others by the pet that it names. */
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
    request: {
      method: 'POST',
      path: '/petstore/store/order',
      json: given === undefined ? order : { id: given, ...order },
    },
    operation: 'placeOrder',
    steps: [{ kind: 'order', key: given?.toString(), to: stateWithoutId(order) }],
    stepsIn: (body) => [{ kind: 'order', key: keyIn(body), to: stateWithoutId(fieldsIn(body)) }],
  });
  return outcome.kind === 'made' ? keyIn(outcome.body) : undefined;
};

/** Places an order, some with an id below 0: only ids below 1000 can be deleted, and the counter is beyond. */
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
    operation: 'deleteOrder',
    steps: [{ kind: 'order', key, to: undefined }],
  });
  if (outcome.kind === 'refused') client.orders.push(key);
};

const newAd = (client: Client): Fields => ({
  title: newMark(client),
  propertyType: client.random.pick(['À la vente', 'À la location']),
  publicationStatus: 'Publiée',
  propertyStatus: 'Disponible',
  description: 'Deux pièces, près de la gare. '.repeat(1 + client.random.below(40)).trim(),
  price: client.random.below(500_000),
  availabilityDate: '2030-03-01T09:00:00Z',
  userName: 'demo',
});

export const addAd = async (client: Client): Promise<void> => {
  const ad = newAd(client);
  await requestChange(client, {
    request: {
      method: 'POST',
      path: '/ads/ad',
      token: client.credentials.ads,
      json: ad,
    },
    operation: 'addAd',
    steps: [{ kind: 'ad', key: String(ad['title']), to: canonical(ad) }],
  });
};
