/** The clients that load the server together. */

import { randomOf } from '../../machine/random';
import type { Client, Shared } from './client';
import { addAd, deleteOrder, placeOrder } from './orders-and-ads';
import { addPet, addPetWithId, deletePet, updatePet, updatePetWithForm } from './pets';
import { createUser, createUsers, loginUser, logoutUser } from './users';

/** Does something as one of the clients. */
export type Operation = (client: Client) => Promise<void>;

/** The operations of clients, and their weights. */
const operations: readonly (readonly [number, Operation])[] = [
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
  Array<Operation>(weight).fill(operation),
);

/** Changes something. */
export const doAny: Operation = async (client) => client.random.pickAny(choices)?.(client);

/** Loads the server until `isOver`; resolves when every client has its response. */
export const runLoad = async (
  clients: readonly Client[],
  isOver: () => boolean,
  operation: Operation = doAny,
): Promise<void> => {
  await Promise.all(
    clients.map(async (client) => {
      while (!isOver()) await operation(client);
    }),
  );
};

export const newShared = (): Shared => ({ given: new Set(), highest: 0, serial: 0, users: [] });

/** The part of a client that all have in common, and their number. */
interface Common extends Pick<Client, 'http' | 'history' | 'credentials' | 'shared'> {
  readonly clients: number;
  readonly seed: number;
}

/** Makes clients, whose marks begin with the prefix. */
export const clientsOf = (
  { clients, seed, http, history, credentials, shared }: Common,
  prefix: string,
): Client[] =>
  Array.from({ length: clients }, (_, number) => ({
    number,
    prefix,
    random: randomOf(seed, prefix, 'client', number),
    http,
    history,
    credentials,
    shared,
    pets: [],
    orders: [],
    logins: [],
  }));
