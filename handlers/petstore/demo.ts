/** Pets, orders and users to try the pet store with. */

import type { DemoData } from '../../src/host/handler-dependencies';
import type { collections } from './collections';
import type { Schemas, UserResponse } from './types';

type Demo = DemoData<typeof collections, Schemas, UserResponse>;
type Item<Name extends keyof Demo> = NonNullable<Demo[Name]>[number];

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
const PETS: readonly Item<'pets'>[] = [
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
  status: NonNullable<Item<'orders'>['status']>,
): Item<'orders'> => ({
  petId,
  quantity,
  shipDate: `2025-03-${day}T09:00:00Z`,
  status,
  complete: status === 'delivered',
});

/** Their ids follow from their order, 1 to 10. */
const ORDERS: readonly Item<'orders'>[] = [
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

const user = (
  id: bigint,
  username: string,
  firstName: string,
  lastName: string,
): Item<'users'> => ({
  id,
  username,
  firstName,
  lastName,
  email: `${username}@example.com`,
  phone: `+33 1 99 00 00 0${id}`,
  userStatus: 1,
});

export const demo: Demo = {
  pets: PETS,
  orders: ORDERS,
  users: [
    user(1n, 'demo', 'Dominique', 'Moreau'),
    user(2n, 'user1', 'Ursula', 'Stone'),
    user(3n, 'user2', 'Umar', 'Field'),
    user(4n, 'user3', 'Una', 'Brook'),
  ],
};
