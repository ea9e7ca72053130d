/** What the operations tagged `store` do. */

import type { Handlers } from '../../src/engine';
import type { Resources } from '../../src/server/services/resources';
import type { Pet, StoreOperations } from './types';

/** What the handlers work with. */
export type StoreResources = Pick<Resources, 'pets' | 'orders'>;

/** Its type demands every status that the document declares. */
const none: Readonly<Record<NonNullable<Pet['status']>, number>> = {
  available: 0,
  pending: 0,
  sold: 0,
};

/** Handlers of the operations tagged `store`. */
export const storeHandlers = ({ pets, orders }: StoreResources): Handlers<StoreOperations> => ({
  async getInventory() {
    return { status: 200, body: { ...none, ...(await pets.countByStatus()) } };
  },

  async placeOrder({ body, fail }) {
    const order = await orders.add(body);
    if (!order) throw fail(405);
    return { status: 200, body: order };
  },

  async getOrderById({ path, fail }) {
    const order = await orders.find(path.orderId);
    if (!order) throw fail(404);
    return { status: 200, body: order };
  },

  async deleteOrder({ path, fail }) {
    if (!(await orders.remove(path.orderId))) throw fail(404);
    return { status: 200 };
  },
});
