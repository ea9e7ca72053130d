/** The operations tagged `store`. */

import type { Handlers } from '../../src/engine';
import type { Dependencies } from './collections';
import type { StoreOperations } from './types';

/** Makes the handlers of the operations tagged `store`. */
export const storeHandlers = ({ pets, orders }: Dependencies): Handlers<StoreOperations> => ({
  async getInventory() {
    return { status: 200, body: await pets.count('status') };
  },

  async placeOrder({ body, fail }) {
    const order = await orders.insert(body);
    if (!order) throw fail(405);
    return { status: 200, body: order };
  },

  async getOrderById({ path, fail }) {
    const order = await orders.get(path.orderId);
    if (!order) throw fail(404);
    return { status: 200, body: order };
  },

  async deleteOrder({ path, fail }) {
    if (!(await orders.delete(path.orderId))) throw fail(404);
    return { status: 200 };
  },
});
