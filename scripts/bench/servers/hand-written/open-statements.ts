/** Opens what the hand-written peer keeps its things in: PostgreSQL where a URL is set, or a SQLite file. */

import { openDatabase } from '../database';
import { prepareOnPostgres } from '../postgres/statements';
import { databasePath, databaseUrl } from '../settings';
import { prepare, type Statements } from './statements';

export const openStatements = (): Statements =>
  databaseUrl === undefined ? prepare(openDatabase(databasePath)) : prepareOnPostgres(databaseUrl);
