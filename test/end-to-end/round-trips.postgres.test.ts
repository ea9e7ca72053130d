/** Statements and round trips to PostgreSQL of each operation. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { rootFolder } from '../../scripts/root-folder';
import { type RunningServer, startServer } from '../../src/server/server';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { issueToken } from '../support/access-token';
import { type Ask, type Asked, askAt } from '../support/ask';
import { type NewDatabase, newDatabase } from '../support/new-database';
import { type PostgresRelay, startPostgresRelay, type Trip } from '../support/postgres-relay';
import { sendRaw } from '../support/raw-socket';
import { testConfig } from '../support/start';
import { casesOf, rowsOf } from '../support/text-cases';

let database: NewDatabase;
let relay: PostgresRelay;
let running: RunningServer;
/** The test's own connection, past the relay. */
let db: Database;
let ask: Ask;

/** Fakes timers, so that what they start, such as the return of leased calls, starts when a test says so. */
const useFakeTimeouts = (): void => {
  const real = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  const alsoReal = ['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const;
  jest.useFakeTimers({ doNotFake: [...real, ...alsoReal] });
};

const credentials = { petToken: '', adToken: '' };

beforeAll(async () => {
  database = await newDatabase();
  relay = await startPostgresRelay(database.url);
  useFakeTimeouts();
  const config = testConfig({
    DATABASE_URL: relay.url,
    VALIDATE_RESPONSES: 'false',
    // One lease of calls does for the file.
    RATE_LIMIT_PER_HOUR: '1000000',
  });
  running = await startServer(config, { log: pino({ level: config.logLevel }) });
  ask = askAt(running.origin);
  db = await openDatabase(database.url);
  credentials.petToken = await issueToken(db, {
    service: 'petstore',
    scopes: ['write:pets', 'read:pets'],
  });
  credentials.adToken = await issueToken(db, { service: 'ads', scopes: ['write:ads', 'read:ads'] });
});

afterAll(async () => {
  jest.useRealTimers();
  await closeDatabase(db);
  await running.stop();
  await relay.close();
  await database.remove();
});

/**
 * Resolves when nothing is under way any more, to what was. A program that has answered requests that came after PostgreSQL's last
 * answer has gone on with that one, too; three times, since one thing may lead to another.
 */
const quiet = async (): Promise<Trip[]> => {
  const trips: Trip[] = [];
  let idle = 0;
  while (idle < 3) {
    await relay.answered();
    await ask('GET /livez');
    const more = relay.take();
    idle = more.length > 0 ? 0 : idle + 1;
    trips.push(...more);
  }
  return trips;
};

const lengths = (trips: readonly Trip[]): number[] => trips.map((trip) => trip.length);

/** Asks and gives the status, and how many statements each round trip took. */
const cost = async (target: string, asked: Asked) => {
  await quiet();
  const { status } = await ask(target, asked);
  return { status, trips: lengths(await quiet()) };
};

/** A login of a user's that is used for the first time; calls of the user are leased by then. */
const loginOf = async (service: string, user = 'demo'): Promise<string> => {
  const [used, login] = [
    await issueToken(db, { service, user, kind: 'login' }),
    await issueToken(db, { service, user, kind: 'login' }),
  ];
  await ask(`GET /${service}/user/logout`, { token: used });
  return login;
};

const pet = {
  name: 'Ida',
  category: { id: 1, name: 'Dogs' },
  photoUrls: [],
  tags: [{ id: 1, name: 'small' }],
  status: 'available',
};
const order = { petId: 1, quantity: 2, shipDate: '2030-01-01T12:00:00Z', status: 'placed' };
const ad = {
  title: 'Maison de ville avec jardin',
  propertyType: 'À la location',
  publicationStatus: 'Publiée',
  propertyStatus: 'Disponible',
  description: 'Quatre chambres',
  price: 1450.5,
  availabilityDate: '2030-06-15T10:00:00+02:00',
  userName: 'demo',
  questions: [],
};

/** The bodies that rows name; what a row says of one is put in. */
const bodies: Readonly<Record<string, object>> = { pet, order, ad };

const bodyOf = (text: string): Asked => {
  if (text === '-') return {};
  if (text === 'bytes') return { type: 'application/octet-stream', body: text };
  const [, name = '', json = ''] = /^(\w*) ?(.*)$/.exec(text) ?? [];
  const body = JSON.parse(json);
  return { body: name === '' ? body : { ...bodies[name], ...body } };
};

const credentialOf = async (service: string, caller: string): Promise<Asked> => {
  if (caller === '-') return {};
  if (caller === 'key') return { key: 'special-key' };
  if (caller === 'pets') return { token: credentials.petToken };
  if (caller === 'ads') return { token: credentials.adToken };
  return { token: await loginOf(service, caller) };
};

/**
 * Per service: operationId, and what is asked for in particular; the request; who calls (a user: by a login); the body; how many
 * statements each round trip takes, one after the other. Each row is asked three times: of `<A|B|C>` it sends one after the other.
 */
const rows = casesOf(join(__dirname, 'round-trips.cases.txt')).flatMap(([service, lines]) =>
  rowsOf(lines).map(([operation = '', target = '', caller = '', body = '', trips = '']) => ({
    operation: `${service} ${operation}`,
    trips: trips.split(' ').map(Number),
    /** @param time 0 and 1 to warm up, 2 when it is counted */
    async request(time: number): Promise<readonly [target: string, asked: Asked]> {
      const [to = '', by = '', sent = ''] = [target, caller, body].map((cell) =>
        cell.replaceAll(/<([^<>]*)>/g, (_, choices: string) => choices.split('|')[time] ?? ''),
      );
      return [to, { ...(await credentialOf(service, by)), ...bodyOf(sent) }];
    },
  })),
);

test.each(rows)('$operation', async ({ request, trips }) => {
  await ask(...(await request(0)));
  await ask(...(await request(1)));
  expect(await cost(...(await request(2)))).toEqual({ status: 200, trips });
});

test('each operation of the documents has a row', async () => {
  const declared: string[] = [];
  for (const service of ['petstore', 'ads']) {
    const document = await readFile(join(rootFolder, 'specs', `${service}.yaml`), 'utf8');
    const ids = [...document.matchAll(/^ +operationId: (\w+)$/gm)];
    declared.push(...ids.map(([, id]) => `${service} ${id}`));
  }
  const asked = rows.map(({ operation }) => operation.split(' ').slice(0, 2).join(' '));
  expect([...new Set(asked)].sort()).toEqual(declared.sort());
  expect(declared).toHaveLength(23);
});

test('16 reads at once share two round trips', async () => {
  // Without time no turn of the event loop is long, after which a busy program would begin fewer requests together.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  await quiet();
  // In one piece (RFC 9112, section 9.3.2), so that all are there in the same turn of the event loop.
  const requests = Array.from({ length: 16 }, (_, at) => {
    const connection = at === 15 ? 'close' : 'keep-alive';
    return `GET /petstore/pet/${at + 1} HTTP/1.1\r\nHost: localhost\r\napi_key: special-key\r\nConnection: ${connection}\r\n\r\n`;
  });
  // The key once for all, and the pets.
  const shared = [1, 16];
  let trips: number[] = [];
  // A busy system may deliver the piece in two, of which the first goes ahead.
  for (let attempt = 0; attempt < 5 && trips.length !== shared.length; attempt += 1) {
    const { statuses } = await sendRaw(running.origin, requests.join(''));
    expect(statuses).toHaveLength(16);
    trips = lengths(await quiet());
  }
  clock.mockRestore();
  expect(trips).toEqual(shared);
});

test('calls of a user are counted before the first of them, and given back after half a second', async () => {
  const caller = { token: credentials.petToken };
  jest.advanceTimersByTime(500);
  await quiet();
  for (const trips of [
    [1, 2, 1, 1],
    [1, 1],
  ]) {
    expect(await cost('GET /petstore/pet/1', caller)).toEqual({ status: 200, trips });
  }
  jest.advanceTimersByTime(500);
  expect(lengths(await quiet())).toEqual([3]);
});
