/** Every statement that the server and the admin program run on a database, written down as it is prepared. */

import { type Database, databaseCheck } from '../../../../src/server/storage/database/database';
import { knexAccounts } from '../../../../src/server/storage/identity/accounts';
import { knexApiKeys } from '../../../../src/server/storage/identity/api-keys';
import { knexClients } from '../../../../src/server/storage/identity/clients';
import { knexEventCounts } from '../../../../src/server/storage/identity/event-counts';
import { knexOAuthCodes } from '../../../../src/server/storage/identity/oauth-codes';
import { knexTokens } from '../../../../src/server/storage/identity/tokens';
import type { Query, Statement, Values } from '../../../../src/server/storage/sql/statement';
import { openStorage, type ServiceStorage } from '../../../../src/server/storage/storage';
import { readPages } from '../../../support/kept-values';
import { standInCodec } from '../../../support/stand-in-codec';

/** The service whose statements they are. */
export const plannedService = 'planned';

/** The same database; the SQL of what is prepared goes into the list, each once. */
const recording = (db: Database, sql: Set<string>): Database => ({
  ...db,
  prepare<Parameters extends Values, Row>(query: Query): Statement<Parameters, Row> {
    const prepared = db.prepare<Parameters, Row>(query);
    sql.add(prepared.sql);
    return prepared;
  },
});

/** What writes its statements only when it sees how long a list is. */
const useLists = async ({ pets }: ServiceStorage): Promise<void> => {
  const tags = ['small', 'quiet', 'young', 'brown', 'shy'].map((name) => ({ name }));
  for (let id = 1n; id <= 5n; id += 1n) {
    await pets.add({ id, name: 'Rex', photoUrls: [], status: 'available', tags });
  }
  await readPages(pets.byTags(['small']));
  await readPages(pets.byTags(['small', 'quiet']));
  await readPages(pets.byStatuses(['available', 'sold']));
};

/** Prepares all statements of a database; resolves to their SQL. */
export const allStatements = async (db: Database): Promise<string[]> => {
  const sql = new Set<string>();
  const recorded = recording(db, sql);
  const storage = openStorage(recorded, () => standInCodec).forService(plannedService);
  knexTokens(recorded, plannedService);
  knexAccounts(recorded, plannedService);
  knexApiKeys(recorded, plannedService);
  knexClients(recorded, plannedService);
  knexEventCounts(recorded);
  knexOAuthCodes(recorded, plannedService);
  databaseCheck(recorded);
  await useLists(storage);
  return [...sql].sort();
};
