/** Clients that change things at the same time, each the next as soon as it got a response. */

import type { Client } from './client';
import { addAd, deleteOrder, placeOrder } from './orders-and-ads';
import { addPet, addPetWithId, deletePet, updatePet, updatePetWithForm } from './pets';
import { createUser, createUsers, loginUser, logoutUser } from './users';

/** The operations of clients, and their weights. */
const operations: readonly (readonly [number, (client: Client) => Promise<void>])[] = [
  [20, addPet],
  [8, addPetWithId],
  [15, updatePet],
  [12, updatePetWithForm],
  [8, deletePet],
  [9, placeOrder],
  [4, deleteOrder],
  [5, createUser],
  [4, createUsers],
  [6, addAd],
  [3, loginUser],
  [2, logoutUser],
];

const choices = operations.flatMap(([weight, operation]) =>
  Array<typeof operation>(weight).fill(operation),
);

const doAny = async (client: Client): Promise<void> => client.random.pickAny(choices)?.(client);

/** Runs one operation of each client, so that a server that has just started is no longer at its slowest. */
export const warmUp = async (clients: readonly Client[]): Promise<void> => {
  await Promise.all(clients.map(doAny));
};

/** Loads the server until `isOver`; resolves when every client has its response. */
export const runLoad = async (clients: readonly Client[], isOver: () => boolean): Promise<void> => {
  await Promise.all(
    clients.map(async (client) => {
      while (!isOver()) await doAny(client);
    }),
  );
};
