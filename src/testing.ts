/** Tests of handlers: one service as the server serves it, on a database of its own, without a port. */

import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { parse } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { describeDiagnostic } from './document/diagnostics/diagnostic';
import { type App, handleApp, readApp } from './host/app';
import { seedDemoData } from './host/demo-data';
import { filesIn } from './host/documents';
import type { HandledService, PreparedService } from './host/prepared-service';
import type { ServiceData } from './host/service-data';
import type { Principal } from './http/caller';
import { apiKeysIn } from './model/document';
import { openApp, type ServingApp } from './server/app';
import { appSettings, processContext } from './server/app-context';
import { readConfig } from './server/config/config';
import { type MountedService, mountedData } from './server/mounted-service';
import { closeDatabase, openDatabase } from './storage/database/database';
import { subjectOf } from './storage/identity/users';
import type { StoredData } from './storage/storage';

/** The options of a service under test. */
export interface TestServiceOptions {
  /** The folder of the documents: `specs`. */
  readonly specs?: string;
  /** The folder of all handlers: `handlers`. */
  readonly handlers?: string;
  /** The second argument of factories; see `replace`. */
  readonly replace?: object;
  /** Further settings of the server, as its environment has them. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A service under test. */
export interface TestService {
  /** Serves the requests of the service; supertest takes it. */
  readonly app: RequestListener;
  /** The collections of the service, by name. */
  readonly collections: StoredData['collections'];
  readonly users: StoredData['users'];
  /** The database of its handlers. */
  readonly database: Knex;
  /** The clock of the server: `advance` lets time pass. */
  readonly clock: { now(): number; advance(milliseconds: number): void };
  /**
   * Gives the headers of requests of a user: signed in where no scopes are given, else with a token of these.
   * @example request(service.app).get('/loans').set(service.as('demo', 'loans:read'))
   */
  as(username: string, ...scopes: readonly string[]): Readonly<Record<string, string>>;
  /** Does one turn of a job. Throws what it throws. */
  run(job: string): Promise<void>;
  /** Makes the handlers again, with these in the place of what their factories take as their second argument. */
  replace(parts: object): Promise<void>;
  /** Ends the handlers, and removes the database. */
  close(): Promise<void>;
}

/** Makes a database that nothing else uses: in memory, or on the PostgreSQL server of a URL. */
const ownDatabase = async (server: string | undefined) => {
  if (server === undefined || !/^postgres/.test(server)) {
    return { url: 'sqlite::memory:', remove: async () => undefined };
  }
  const { Client } = await import('pg');
  const run = async (sql: string): Promise<void> => {
    const client = new Client(server);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, remove: () => run(`drop database ${name} with (force)`) };
};

/** Makes the credentials of callers that tests name, beside those of the service. */
const testCallers = () => {
  const callers = new Map<string, Principal>();
  return {
    accept: (data: ServiceData): ServiceData => {
      const { bearer, basic, apiKey, ...others } = data.securityHandlers;
      const securityHandlers = {
        ...others,
        bearer: (...given: Parameters<typeof bearer>) => callers.get(given[0]) ?? bearer(...given),
        basic: (...given: Parameters<typeof basic>) =>
          callers.get(given[0].password) ?? basic(...given),
        apiKey: (...given: Parameters<typeof apiKey>) => callers.get(given[0]) ?? apiKey(...given),
      };
      return { ...data, securityHandlers };
    },
    add(username: string, scopes: readonly string[]): string {
      const token = `test_${randomUUID()}`;
      callers.set(token, {
        username: scopes.length === 0 ? username : undefined,
        ...{ subject: subjectOf(username), kind: 'user', credentialId: token },
        scopes: scopes.flatMap((scope) => scope.split(' ')),
      });
      return token;
    },
  };
};

/** Fails the test that runs, with the place in the document, where a response does not fit it. */
const failTest = (err: unknown, service: MountedService | undefined): void => {
  const pointer: unknown = Reflect.get(Object(err), 'responsePointer');
  if (typeof pointer !== 'string' || service === undefined || !(err instanceof Error)) return;
  const message = `the response does not fit: ${err.message}`;
  const place = { severity: 'error', rule: 'unserved-operation', pointer, message } as const;
  const failure = new Error(describeDiagnostic(service.document.locate(place)), { cause: err });
  // What is thrown outside of all promises fails the test in every runner.
  setImmediate(() => {
    throw failure;
  });
};

/**
 * Opens a service for tests, with its demo data: in memory, or where DATABASE_URL names a PostgreSQL server in a database of its own
 * there. Jobs run when a test says so. A response that does not fit the document fails the test.
 *
 * @param name - that of the document
 * @throws Error in one sentence where the service cannot be served
 */
export const openTestService = async (
  name: string,
  { specs = 'specs', handlers = 'handlers', replace, environment }: TestServiceOptions = {},
): Promise<TestService> => {
  const file = filesIn([specs]).find((one) => parse(one).name === name);
  if (file === undefined) throw new Error(`There is no document ${name} in ${specs}`);
  const database = await ownDatabase(process.env['DATABASE_URL']);
  const config = readConfig({
    ...{ SPECS_DIRECTORY: specs, HANDLERS_DIRECTORY: handlers, DATABASE_URL: database.url },
    ...{ LOG_LEVEL: 'error', PASSWORD_COST: '10', VALIDATE_RESPONSES: 'true', ...environment },
  });
  let advanced = 0;
  const now = () => Date.now() + advanced;
  let current: ServingApp | undefined;
  const log = pino({
    level: config.logLevel,
    hooks: {
      logMethod: ([fields]) => failTest(Reflect.get(Object(fields), 'err'), current?.services[0]),
    },
  });
  const shared = await processContext(config, { log, clock: now });
  const db = await openDatabase(config.databaseUrl);
  const callers = testCallers();
  const make = async (replaced: object | undefined, before?: ServingApp): Promise<ServingApp> => {
    const context = { ...shared, origin: 'http://localhost', db };
    const settings = { ...appSettings(config, context.origin, shared, {}), replaced };
    const ownSettings = { ...settings, sources: [file] };
    const read = await readApp<MountedService>(ownSettings);
    const open = async (service: PreparedService) =>
      callers.accept(await mountedData(service, context, before !== undefined));
    const handled: App<HandledService<ServiceData>> = await handleApp(ownSettings, read, open);
    return openApp(handled, context, ({ services }) => seedDemoData(services, db, config, now));
  };
  const close = async (): Promise<void> => {
    await current?.end();
    await closeDatabase(db);
    await database.remove();
  };
  let listener: RequestListener;
  const serve = (app: ServingApp): void => {
    current = app;
    listener = app.connect();
  };
  const service = (): MountedService => {
    const [only] = current?.services ?? [];
    if (only === undefined) throw new Error(`${name} is not served`);
    return only;
  };
  try {
    serve(await make(replace));
    const [failed] = service().failed;
    if (failed !== undefined) throw new Error(failed.reason, { cause: failed.cause });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    app: (request, response) => listener(request, response),
    get collections() {
      return service().data.collections;
    },
    get users() {
      return service().data.users;
    },
    get database() {
      return service().data.database;
    },
    clock: {
      now,
      advance(milliseconds) {
        advanced += milliseconds;
      },
    },
    as(username, ...scopes) {
      const token = callers.add(username, scopes);
      const { document } = service();
      const isBearer = [...document.securitySchemes.values()].some(
        (scheme) =>
          ['oauth2', 'openIdConnect'].includes(scheme.type) ||
          (scheme.type === 'http' && /^bearer$/i.test(scheme.scheme)),
      );
      const credential = isBearer
        ? `Bearer ${token}`
        : `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
      const keys = apiKeysIn('header', document).map((key) => [key, token]);
      return { ...Object.fromEntries(keys), Authorization: credential };
    },
    run: (job) => service().lifetimes.run(job),
    async replace(parts) {
      const before = current;
      serve(await make(parts, before));
      await before?.end();
    },
    close,
  };
};
