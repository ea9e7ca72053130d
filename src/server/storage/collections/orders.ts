/** Orders of the store. */

import type { Order } from '../../../../handlers/petstore/types';
import type { Database } from '../database/database';
import { type Documents, knexDocuments } from './documents';
import type { TextCodec } from './text-codec';

export type OrderStorage = Pick<Documents<Order>, 'find' | 'add' | 'remove'>;

export const knexOrders = (db: Database, service: string, codec: TextCodec<Order>): OrderStorage =>
  knexDocuments(db, { name: 'orders', service, codec });
