/** This project's own server for a test: a database of its own with the demo data, and credentials of every kind. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pino } from 'pino';
import type { Credential } from '../../src/contract';
import { isDocumentName, overlaysBeside } from '../../src/document/source/source-files';
import { type ApiDocument, loadApiDocument } from '../../src/engine';
import { demoCredentials } from '../../src/host/demo-data';
import { scryptPasswords } from '../../src/identity/password';
import { asksForUser, type SecurityScheme } from '../../src/model/document';
import { adminService } from '../../src/server/admin/admin-context';
import { readConfig } from '../../src/server/config/config';
import { type RunningServer, startServer } from '../../src/server/server';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import type { TokenKind } from '../../src/storage/identity/tokens';
import { knexAccounts, usersOver } from '../../src/storage/identity/users';
import type { StartOwnServer, Target } from '../../src/tool/test-command';
import { foldersOf } from '../generate/generated-files';
import { issueToken } from '../machine/issue-token';

const day = 24 * 60 * 60 * 1000;

/** Passwords are hashed by the thousand, and protect nothing. */
const passwordCost = 10;

/** Creates the user of the credentials, where the demo data have none: of a schema that asks for more than a name. */
const requireUser = async (db: Database, document: ApiDocument): Promise<void> => {
  const { username, password } = demoCredentials;
  if ((await knexAccounts(db, document.name).find(username)) !== undefined) return;
  const hash = await scryptPasswords(passwordCost).hash(password);
  const { userCodec } = adminService(document, undefined);
  await usersOver(db, document.name, userCodec())(db).insert({ username }, hash);
};

const issue = async (
  db: Database,
  service: string,
  kind: TokenKind,
  scopes: readonly string[],
): Promise<string> => {
  const token = await issueToken(
    db,
    { service, user: demoCredentials.username, kind, scopes },
    day,
  );
  if (token !== undefined) return token;
  throw new Error(`The user ${demoCredentials.username} of ${service} is gone.`);
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

const credentialsFor = (
  db: Database,
  document: ApiDocument,
  scheme: string,
  declared: SecurityScheme,
): Credential[] | Promise<Credential[]> => {
  const { username, password, apiKey } = demoCredentials;
  if (declared.type === 'apiKey') return [{ scheme, scopes: undefined, value: apiKey }];
  const isBasic = declared.type === 'http' && /^basic$/i.test(declared.scheme);
  if (isBasic) return [{ scheme, scopes: undefined, value: `${username}:${password}` }];
  return tokensFor(db, document, scheme);
};

const credentialsOf = async (db: Database, document: ApiDocument): Promise<Credential[]> => {
  const { operations, securitySchemes } = document;
  if (operations.some((operation) => asksForUser(operation, securitySchemes))) {
    await requireUser(db, document);
  }
  const bySchemes = [...securitySchemes]
    .filter(([scheme]) => operations.some(({ security }) => security.some((one) => scheme in one)))
    .map(([scheme, declared]) => credentialsFor(db, document, scheme, declared));
  const asks = operations.some(({ loggedInUser }) => loggedInUser !== undefined);
  const logins = asks ? await loginsFor(db, document) : [];
  return [...(await Promise.all(bySchemes)).flat(), ...logins];
};

const start = (folder: string, handlers: string, databaseUrl: string): Promise<RunningServer> => {
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    SPECS_DIRECTORY: folder,
    HANDLERS_DIRECTORY: handlers,
    DEMO_DATA: 'true',
    RATE_LIMIT_PER_HOUR: '1000000000',
    PASSWORD_COST: String(passwordCost),
    MOCK_CREDENTIALS: 'none',
  });
  return startServer(config, { log: pino({ level: 'silent' }), jobs: false });
};

const documentsIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder);
  return names.filter(isDocumentName).map((name) => join(folder, name));
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

/** Starts the server on the folder of a document, or of all documents of the project, with a database that is removed when it stops. */
export const startOwnServer: StartOwnServer = async (file) => {
  const { root, specs, handlers } = foldersOf(process.cwd(), process.env);
  const folder = file === undefined ? resolve(root, specs) : dirname(file);
  const files = file === undefined ? await documentsIn(folder) : [file];
  const documents: ApiDocument[] = [];
  for (const one of files) {
    documents.push(await loadApiDocument(one, { overlays: overlaysBeside(one) }));
  }
  const data = await mkdtemp(join(tmpdir(), 'contract-test-'));
  const databaseUrl = `sqlite:${join(data, 'test.sqlite')}`;
  const closing: (() => Promise<unknown>)[] = [() => rm(data, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const close of closing) await close();
  };
  try {
    const running = await start(folder, resolve(root, handlers), databaseUrl);
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
