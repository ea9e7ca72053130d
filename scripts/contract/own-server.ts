/** This project's own server for a test: a database of its own with the demo data, and credentials of every kind. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import type { Credential } from '../../src/contract';
import { type ApiDocument, loadApiDocument } from '../../src/engine';
import { demoCredentials } from '../../src/host/demo-data';
import { newSecret } from '../../src/identity/token';
import { readConfig } from '../../src/server/config/config';
import { type RunningServer, startServer } from '../../src/server/server';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import type { TokenKind } from '../../src/storage/identity/tokens';
import type { StartOwnServer, Target } from '../../src/tool/test-command';
import { issueToken } from '../machine/issue-token';
import { rootFolder } from '../root-folder';

const day = 24 * 60 * 60 * 1000;

/** Issues a token; where the document has no users, it grants nothing. */
const issue = async (
  db: Database,
  service: string,
  kind: TokenKind,
  scopes: readonly string[],
): Promise<string> => {
  const grant = { service, user: demoCredentials.username, kind, scopes };
  return (await issueToken(db, grant, day)) ?? newSecret();
};

const requiredScopes = ({ operations }: ApiDocument, scheme: string): string[] => [
  ...new Set(operations.flatMap(({ security }) => security.flatMap((one) => one[scheme] ?? []))),
];

/** A token for each choice of scopes: all, each alone, none. */
const tokensFor = (db: Database, document: ApiDocument, scheme: string) => {
  const scopes = requiredScopes(document, scheme);
  const choices = [scopes, ...scopes.map((scope) => [scope]), []];
  return Promise.all(
    choices.map(async (chosen) => ({
      scheme,
      scopes: chosen,
      value: await issue(db, document.name, 'access-token', chosen),
    })),
  );
};

/** Several, since an operation may end one. */
const loginsFor = (db: Database, { name }: ApiDocument) =>
  Promise.all(
    Array.from({ length: 8 }, async () => ({
      scheme: 'x-logged-in-user',
      scopes: undefined,
      value: await issue(db, name, 'login', []),
    })),
  );

const credentialsOf = async (db: Database, document: ApiDocument): Promise<Credential[]> => {
  const { operations } = document;
  const bySchemes = [...document.securitySchemes].map(
    async ([name, { type }]): Promise<Credential[]> =>
      type === 'apiKey'
        ? [{ scheme: name, scopes: undefined, value: demoCredentials.apiKey }]
        : tokensFor(db, document, name),
  );
  const asks = operations.some(({ loggedInUser }) => loggedInUser !== undefined);
  const logins = asks ? await loginsFor(db, document) : [];
  return [...(await Promise.all(bySchemes)).flat(), ...logins];
};

const start = (folder: string, databaseUrl: string): Promise<RunningServer> => {
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    SPECS_DIRECTORY: folder,
    HANDLERS_DIRECTORY: join(rootFolder, 'handlers'),
    DEMO_DATA: 'true',
    RATE_LIMIT_PER_HOUR: '1000000000',
    // Passwords are hashed by the thousand, and protect nothing.
    PASSWORD_COST: '10',
    MOCK_CREDENTIALS: 'none',
  });
  return startServer(config, { log: pino({ level: 'silent' }) });
};

const ownDocuments = async (): Promise<string[]> => {
  const folder = join(rootFolder, 'specs');
  const names = await readdir(folder);
  return names.filter((name) => /\.(?:ya?ml|json)$/.test(name)).map((name) => join(folder, name));
};

const targetOf = async (
  { app, origin }: RunningServer,
  db: Database,
  document: ApiDocument,
): Promise<Target> => {
  const service = app.services.find(({ name }) => name === document.name);
  if (service === undefined) throw new Error(`${document.file} has no service.`);
  const credentials = await credentialsOf(db, document);
  return { document, url: origin + service.basePath, credentials };
};

/** Starts the server on the folder of a document, or of all documents, with a database that is removed when it stops. */
export const startOwnServer: StartOwnServer = async (file) => {
  const files = file === undefined ? await ownDocuments() : [file];
  const documents: ApiDocument[] = [];
  for (const one of files) documents.push(await loadApiDocument(one));
  const data = await mkdtemp(join(tmpdir(), 'contract-test-'));
  const databaseUrl = `sqlite:${join(data, 'test.sqlite')}`;
  const closing: (() => Promise<unknown>)[] = [() => rm(data, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const close of closing) await close();
  };
  try {
    const running = await start(dirname(files[0] ?? rootFolder), databaseUrl);
    closing.unshift(running.stop);
    const db = await openDatabase(databaseUrl);
    closing.unshift(() => closeDatabase(db));
    const targets: Target[] = [];
    for (const document of documents) targets.push(await targetOf(running, db, document));
    return { targets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
