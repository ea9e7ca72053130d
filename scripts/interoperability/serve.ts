/** The server under test, on a new database with the demo data. */

import { join } from 'node:path';
import { pino } from 'pino';
import type { ApiDocument } from '../../src/engine';
import { documentScopes } from '../../src/identity/oauth/authorization-server';
import { readConfig } from '../../src/server/config/config';
import { startServer } from '../../src/server/server';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { issueToken } from '../machine/issue-token';
import { atEnd, temporaryFolder } from '../machine/run-main';

/** A running server. */
export interface TestedServer {
  readonly origin: string;
  /** A folder for files, removed at the end. */
  readonly folder: string;
  readonly documents: readonly ApiDocument[];
  /** Access tokens of the demo user with all scopes, by service. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The API key of the demo data. */
  readonly apiKey: string;
}

const issueTokens = async (
  databaseUrl: string,
  documents: readonly ApiDocument[],
): Promise<Readonly<Record<string, string>>> => {
  const db = await openDatabase(databaseUrl);
  const issue = async (document: ApiDocument): Promise<[string, string]> => {
    const { name } = document;
    const token = await issueToken(db, {
      service: name,
      scopes: documentScopes(document).required,
    });
    if (token === undefined) throw new Error(`${name} has no user demo`);
    return [name, token];
  };
  try {
    const tokens: [string, string][] = [];
    for (const document of documents) tokens.push(await issue(document));
    return Object.fromEntries(tokens);
  } finally {
    await closeDatabase(db);
  }
};

/** Starts the server on a free port; it ends with this program. */
export const serve = async (): Promise<TestedServer> => {
  const folder = temporaryFolder('interoperability-');
  const databaseUrl = `sqlite:${join(folder, 'services.sqlite')}`;
  const config = readConfig({ PORT: '0', DATABASE_URL: databaseUrl, VALIDATE_RESPONSES: 'false' });
  const running = await startServer(config, { log: pino({ level: 'silent' }) });
  atEnd(running.stop);
  const { origin, app, demo } = running;
  if (demo === undefined) throw new Error('The server has no demo data');
  return {
    origin,
    folder,
    documents: app.documents,
    tokens: await issueTokens(databaseUrl, app.documents),
    apiKey: demo.apiKey,
  };
};
