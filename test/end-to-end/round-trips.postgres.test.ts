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

const petWriter = (): Asked => ({ token: credentials.petToken });
const key: Asked = { key: 'special-key' };
const demo = 'username=demo&password=demo-password';

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

type Request = readonly [target: string, asked?: Asked];

/** `time` is 0 and 1 when it is asked to warm up, and 2 when it is counted. */
type MakeRequest = (time: number) => Request | Promise<Request>;

/**
 * Service and operationId, and what is asked for in particular; the request; how many statements each round trip takes, one after
 * the other.
 */
type Row = readonly [operation: string, request: MakeRequest, trips: readonly number[]];

const rows: readonly Row[] = [
  ['petstore getPetById by key', () => ['GET /petstore/pet/1', key], [1, 1]],
  ['petstore getPetById by token', () => ['GET /petstore/pet/1', petWriter()], [1, 1]],
  [
    'petstore findPetsByStatus',
    () => ['GET /petstore/pet/findByStatus?status=sold', petWriter()],
    [1, 1],
  ],
  [
    'petstore findPetsByStatus of two',
    () => ['GET /petstore/pet/findByStatus?status=sold,pending', petWriter()],
    [1, 2, 1],
  ],
  [
    'petstore findPetsByTags',
    () => ['GET /petstore/pet/findByTags?tags=small', petWriter()],
    [1, 1],
  ],
  ['petstore addPet', () => ['POST /petstore/pet', { ...petWriter(), body: pet }], [1, 2, 5]],
  [
    'petstore addPet with an id',
    (time) => ['POST /petstore/pet', { ...petWriter(), body: { ...pet, id: 900 + time } }],
    [1, 4, 4],
  ],
  [
    'petstore updatePet',
    (time) => [
      'PUT /petstore/pet',
      { ...petWriter(), body: { ...pet, id: 1, name: `Ida ${time}` } },
    ],
    [1, 2, 2],
  ],
  [
    'petstore updatePet with another status',
    (time) => [
      'PUT /petstore/pet',
      { ...petWriter(), body: { ...pet, id: 1, status: time === 1 ? 'pending' : 'sold' } },
    ],
    [1, 2, 6],
  ],
  [
    'petstore updatePetWithForm',
    (time) => [`POST /petstore/pet/2?name=Max${time}`, petWriter()],
    [1, 2, 2],
  ],
  [
    'petstore uploadFile',
    () => [
      'POST /petstore/pet/2/uploadImage',
      { ...petWriter(), type: 'application/octet-stream', body: 'bytes' },
    ],
    [1, 2, 2, 3],
  ],
  ['petstore deletePet', (time) => [`DELETE /petstore/pet/${5 + time}`, petWriter()], [1, 2, 5]],
  ['petstore getInventory', () => ['GET /petstore/store/inventory', key], [1, 1]],
  ['petstore placeOrder', () => ['POST /petstore/store/order', { body: order }], [2, 2]],
  ['petstore getOrderById', () => ['GET /petstore/store/order/1'], [1]],
  ['petstore deleteOrder', (time) => [`DELETE /petstore/store/order/${1 + time}`], [2, 1]],
  ...['petstore', 'ads'].flatMap((service): Row[] => [
    [
      `${service} createUser`,
      async (time) => [
        `POST /${service}/user`,
        {
          token: await loginOf(service),
          body: { username: `ada${time}`, password: 'a password', isAgent: true },
        },
      ],
      [1, 1, 2, 1, 1],
    ],
    [`${service} loginUser`, () => [`GET /${service}/user/login?${demo}`], [1, 3, 3, 1, 3, 2, 2]],
    [
      `${service} logoutUser`,
      async () => [`GET /${service}/user/logout`, { token: await loginOf(service) }],
      [1, 2, 1],
    ],
  ]),
  [
    'petstore createUsersWithListInput of two',
    async (time) => [
      'POST /petstore/user/createWithList',
      {
        token: await loginOf('petstore'),
        body: [{ username: `ben${time}` }, { username: `cleo${time}` }],
      },
    ],
    [1, 2, 2, 1, 1, 1, 1],
  ],
  ['petstore getUserByName', () => ['GET /petstore/user/demo'], [1]],
  [
    'petstore updateUser',
    async (time) => [
      'PUT /petstore/user/user1',
      { token: await loginOf('petstore', 'user1'), body: { firstName: `Ada ${time}` } },
    ],
    [1, 2, 2],
  ],
  [
    'petstore updateUser with a password',
    async (time) => [
      'PUT /petstore/user/user1',
      { token: await loginOf('petstore', 'user1'), body: { password: `password ${time}` } },
    ],
    [1, 2, 5],
  ],
  [
    'petstore deleteUser',
    async (time) => [
      `DELETE /petstore/user/user${1 + time}`,
      { token: await loginOf('petstore', `user${1 + time}`) },
    ],
    [1, 2, 1],
  ],
  ['ads addAd', () => ['POST /ads/ad', { token: credentials.adToken, body: ad }], [1, 3]],
];

test.each(rows)('%s', async (_, request, trips) => {
  await ask(...(await request(0)));
  await ask(...(await request(1)));
  const [target, asked = {}] = await request(2);
  expect(await cost(target, asked)).toEqual({ status: 200, trips });
});

test('each operation of the documents has a row', async () => {
  const declared: string[] = [];
  for (const service of ['petstore', 'ads']) {
    const document = await readFile(join(rootFolder, 'specs', `${service}.yaml`), 'utf8');
    const ids = [...document.matchAll(/^ +operationId: (\w+)$/gm)];
    declared.push(...ids.map(([, id]) => `${service} ${id}`));
  }
  const asked = rows.map(([operation]) => operation.split(' ').slice(0, 2).join(' '));
  expect([...new Set(asked)].sort()).toEqual(declared.sort());
  expect(declared).toHaveLength(23);
});

test('16 reads at once share two round trips', async () => {
  await quiet();
  // In one piece (RFC 9112, section 9.3.2), so that all are there in the same turn of the event loop.
  const requests = Array.from({ length: 16 }, (_, at) => {
    const connection = at === 15 ? 'close' : 'keep-alive';
    return `GET /petstore/pet/${at + 1} HTTP/1.1\r\nHost: localhost\r\napi_key: special-key\r\nConnection: ${connection}\r\n\r\n`;
  });
  const { statuses } = await sendRaw(running.origin, requests.join(''));
  expect(statuses).toHaveLength(16);
  // The key once for all, and the pets.
  expect(lengths(await quiet())).toEqual([1, 16]);
});

test('calls of a user are counted before the first of them, and given back after half a second', async () => {
  jest.advanceTimersByTime(500);
  await quiet();
  expect(await cost('GET /petstore/pet/1', petWriter())).toEqual({
    status: 200,
    trips: [1, 2, 1, 1],
  });
  expect(await cost('GET /petstore/pet/1', petWriter())).toEqual({
    status: 200,
    trips: [1, 1],
  });
  jest.advanceTimersByTime(500);
  expect(lengths(await quiet())).toEqual([3]);
});
