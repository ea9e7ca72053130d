/** Pets and orders to look at, for a database that has none yet. */

import type { Order, Pet } from '../../../../handlers/petstore/types';
import { idsOf } from '../collections/ids';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { Storage } from '../storage';

/** The service that the demo data belongs to. */
export const demoService = 'petstore';

const DOGS = { id: 1n, name: 'Dogs' };
const CATS = { id: 2n, name: 'Cats' };
const BIRDS = { id: 3n, name: 'Birds' };
const FISH = { id: 4n, name: 'Fish' };

const SMALL = { id: 1n, name: 'small' };
const LARGE = { id: 2n, name: 'large' };
const YOUNG = { id: 3n, name: 'young' };
const QUIET = { id: 4n, name: 'quiet' };
const FRIENDLY = { id: 5n, name: 'friendly' };

/** Their ids follow from their order, 1 to 10. */
const PETS: readonly Pet[] = [
  { name: 'Bello', category: DOGS, tags: [LARGE, FRIENDLY], status: 'available', photoUrls: [] },
  { name: 'Minka', category: CATS, tags: [SMALL, QUIET], status: 'available', photoUrls: [] },
  { name: 'Rex', category: DOGS, tags: [LARGE, YOUNG], status: 'pending', photoUrls: [] },
  { name: 'Hansi', category: BIRDS, tags: [SMALL], status: 'available', photoUrls: [] },
  { name: 'Tiger', category: CATS, tags: [YOUNG, FRIENDLY], status: 'sold', photoUrls: [] },
  { name: 'Nemo', category: FISH, tags: [SMALL, QUIET], status: 'available', photoUrls: [] },
  { name: 'Luna', category: CATS, tags: [YOUNG], status: 'pending', photoUrls: [] },
  { name: 'Waldi', category: DOGS, tags: [SMALL, FRIENDLY], status: 'sold', photoUrls: [] },
  { name: 'Coco', category: BIRDS, tags: [FRIENDLY], status: 'available', photoUrls: [] },
  { name: 'Dory', category: FISH, tags: [QUIET], status: 'pending', photoUrls: [] },
];

const order = (
  petId: bigint,
  quantity: number,
  day: string,
  status: NonNullable<Order['status']>,
): Order => ({
  petId,
  quantity,
  shipDate: `2025-03-${day}T09:00:00Z`,
  status,
  complete: status === 'delivered',
});

/** Their ids follow from their order, 1 to 10. */
const ORDERS: readonly Order[] = [
  order(5n, 1, '03', 'delivered'),
  order(8n, 1, '04', 'delivered'),
  order(3n, 1, '10', 'approved'),
  order(7n, 1, '11', 'approved'),
  order(10n, 2, '12', 'approved'),
  order(1n, 1, '17', 'placed'),
  order(2n, 1, '18', 'placed'),
  order(4n, 2, '19', 'placed'),
  order(6n, 5, '20', 'placed'),
  order(9n, 1, '21', 'placed'),
];

/** Starting the counter decides between processes that look at the same time. */
const isUntouched = async (db: Database, trx: Transaction): Promise<boolean> => {
  if (!(await idsOf(db, demoService, 'pets').start(trx))) return false;
  for (const table of ['pets', 'orders']) {
    const any = db.knex(table).where({ service: demoService }).limit(1).select('service');
    if ((await trx.all(db.prepare(any), {})).length > 0) return false;
  }
  return true;
};

/**
 * Adds pets 1 to 10 and orders 1 to 10, all or none, where no pet and no order was ever kept.
 *
 * @param db - the database that the storage was opened over
 * @returns whether it added them
 */
export const seedResources = (db: Database, storage: Storage): Promise<boolean> =>
  db.transaction(async (trx) => {
    if (!(await isUntouched(db, trx))) return false;
    const { pets, orders } = storage.within(trx).forService(demoService);
    for (const pet of PETS) await pets.add(pet);
    for (const placed of ORDERS) await orders.add(placed);
    return true;
  });
