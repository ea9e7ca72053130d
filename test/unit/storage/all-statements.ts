/** Every statement that the server and the admin program run on a database, written down as it is prepared. */

import { itemMigration } from '../../../src/storage/collections/migrate-items';
import { storedItems, storedUsers } from '../../../src/storage/collections/stored-items';
import { type Database, databaseCheck } from '../../../src/storage/database/database';
import { knexApiKeys } from '../../../src/storage/identity/api-keys';
import { knexClients } from '../../../src/storage/identity/clients';
import { knexEventCounts } from '../../../src/storage/identity/event-counts';
import { knexOAuthCodes } from '../../../src/storage/identity/oauth-codes';
import { knexSignInNetworks } from '../../../src/storage/identity/sign-in-networks';
import { knexTokens } from '../../../src/storage/identity/tokens';
import { type IdentifiedUser, knexAccounts, usersOver } from '../../../src/storage/identity/users';
import type { Query, Statement, Values } from '../../../src/storage/sql/statement';
import { type ServiceStorage, seedCollections } from '../../../src/storage/storage';
import { collectionOf, openStorage, petDeclaration, withoutId } from '../../support/open-storage';
import { readPages } from '../../support/read-serialized';
import { standInCodecOf } from '../../support/stand-in-codec';

/** The service whose statements they are. */
export const plannedService = 'planned';

/** A statement, whatever its values and rows are. */
export type AnyStatement = Statement<Values, unknown>;

/** The same database; what is prepared goes into the map by its SQL, the first of each. */
const recording = (db: Database, statements: Map<string, AnyStatement>): Database => ({
  ...db,
  prepare<Parameters extends Values, Row>(
    query: Query,
    tables?: readonly string[],
  ): Statement<Parameters, Row> {
    const prepared = db.prepare<Parameters, Row>(query, tables);
    const { sql } = prepared;
    if (!statements.has(sql)) statements.set(sql, prepared as unknown as AnyStatement);
    return prepared;
  },
});

/** Uses the parts that write their statements only when they see the length of a list. */
const useLists = async (storage: ServiceStorage): Promise<void> => {
  const pets = collectionOf<object>(storage, 'pets');
  const tags = ['small', 'quiet', 'young', 'brown', 'shy'].map((name) => ({ name }));
  for (let id = 1n; id <= 5n; id += 1n) await pets.insert({ id, status: 'available', tags });
  await readPages(pets.find('tags.name', ['small', 'quiet']));
  // All kinds of conditions, in all orders, forwards and backwards.
  const where = { id: [1n, 2n], status: ['available'], name: { prefix: '' } };
  for (const order of ['id', '-id', 'name', '-name']) {
    for (const condition of [{}, where, { status: 'available', id: { gt: 0n } }]) {
      const { next: after } = await pets.page({ limit: 1, order, where: condition });
      await pets.page({ limit: 1, order, where: condition, after });
      await pets.count({ where: condition });
    }
  }
  await pets.delete(1n);
};

/** Prepares all statements of a database; those of the pets come first. */
export const allStatements = async (db: Database): Promise<AnyStatement[]> => {
  // An index that is declared no longer.
  await openStorage(db, plannedService, { pets: { ...petDeclaration, lookups: ['name'] } });
  const statements = new Map<string, AnyStatement>();
  const recorded = recording(db, statements);
  const storage = await openStorage(recorded, plannedService, {
    pets: { ...petDeclaration, sorts: ['name'] },
    orders: { schema: 'Order' },
    ads: { schema: withoutId },
  });
  await seedCollections(recorded, plannedService, storage, { orders: [{}] });
  usersOver(recorded, plannedService, standInCodecOf<IdentifiedUser>());
  const schema = { codec: standInCodecOf<object>(), hasId: true, hasTextId: false };
  storedUsers(recorded, plannedService, schema);
  const items = storedItems(recorded, { service: plannedService, name: 'pets', key: 1, ...schema });
  itemMigration(recorded, items, 'rename.ts', () => undefined);
  await knexTokens(recorded, plannedService).list(0);
  knexAccounts(recorded, plannedService);
  knexApiKeys(recorded, plannedService);
  knexClients(recorded, plannedService);
  knexEventCounts(recorded);
  knexSignInNetworks(recorded, plannedService);
  knexOAuthCodes(recorded, plannedService);
  databaseCheck(recorded);
  await useLists(storage);
  return [...statements.values()];
};
