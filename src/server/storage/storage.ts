/** Puts the storages together, service by service. */

import type { Ad } from '../../../handlers/ads/types';
import type { Order, Pet } from '../../../handlers/petstore/types';
import type { SerializedItems, SerializedJson } from '../../engine';
import { type AdStorage, knexAds } from './collections/ads';
import { type FileStorage, knexFiles } from './collections/files';
import { knexOrders, type OrderStorage } from './collections/orders';
import { knexPets, type PetStorage } from './collections/pets';
import type { TextCodec } from './collections/text-codec';
import { type Database, within } from './database/database';
import type { Transaction } from './database/transaction';
import { type IdentifiedUser, knexUsers, type UserStorage } from './identity/users';

/** What one service keeps; no service sees the rows of another. */
export interface ServiceStorage {
  readonly pets: PetStorage;
  readonly orders: OrderStorage;
  readonly ads: AdStorage;
  readonly files: FileStorage;
  readonly users: UserStorage<IdentifiedUser>;
}

export interface Storage {
  forService(service: string): ServiceStorage;
  /** The same storage inside a transaction. */
  within(trx: Transaction): Storage;
}

/** Gives the text codec of a service's schema; throws where the service's document has no such schema. */
export type TextCodecOf = (service: string, schema: string) => TextCodec<unknown>;

/**
 * Storage over an open database.
 *
 * @param textCodecOf - asked when a schema is first used, since no service has all of them
 */
export const openStorage = (db: Database, textCodecOf: TextCodecOf): Storage => ({
  within: (trx) => openStorage(within(db, trx), textCodecOf),

  forService(service) {
    /** The one place that trusts a schema's name and its generated type to belong together. */
    const codec = <Resource>(schema: string): TextCodec<Resource> => {
      let found: TextCodec<unknown> | undefined;
      const find = (): TextCodec<unknown> => {
        found ??= textCodecOf(service, schema);
        return found;
      };
      return {
        get format() {
          return find().format;
        },
        read: (text) => find().read(text) as Resource,
        write: (resource) => find().write(resource),
        kept: (text, format) => find().kept(text, format) as SerializedJson<Resource>,
        keptItems: (texts) => find().keptItems(texts) as SerializedItems<Resource>,
      };
    };
    return {
      pets: knexPets(db, service, codec<Pet>('Pet')),
      orders: knexOrders(db, service, codec<Order>('Order')),
      ads: knexAds(db, service, codec<Ad>('Ad')),
      files: knexFiles(db, service),
      users: knexUsers(db, service, codec<IdentifiedUser>('User')),
    };
  },
});
