/** Opens what the framework peers keep their things in: PostgreSQL where a URL is set, or a SQLite file. */

import { openDatabase } from './database';
import { postgresStore } from './postgres/store';
import { databasePath, databaseUrl } from './settings';
import { type Store, storeIn } from './store';

export const openStore = (): Store =>
  databaseUrl === undefined ? storeIn(openDatabase(databasePath)) : postgresStore(databaseUrl);
