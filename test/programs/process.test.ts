/** The program as a process: how it ends, what outlives it, and the admin program beside it. */

import { once } from 'node:events';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { issuePetToken } from '../support/access-token';
import { type Ask, askAt } from '../support/ask';
import { beginUpload } from '../support/begin-upload';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useNewDatabases } from '../support/new-database';
import { type RunningProgram, useProgram } from '../support/program';
import { isOpen, openSocket, readUntil } from '../support/raw-socket';

const program = useProgram();

const newDatabase = useNewDatabases();
let environment: Readonly<Record<string, string>> = {};
beforeEach(async () => {
  environment = { DATABASE_URL: await newDatabase() };
});

const start = (): Promise<RunningProgram> => program().start(environment);

const scopes = ['write:pets', 'read:pets'];
const issueToken = (): Promise<string> => issuePetToken(environment['DATABASE_URL'] ?? '');

const addPet = (ask: Ask, token: string, id: number) =>
  ask('POST /petstore/pet', { token, body: { id, name: `Rex ${id}`, photoUrls: [] } });
const getPet = (ask: Ask, id: number) => ask(`GET /petstore/pet/${id}`, { key: 'special-key' });

/** Resolves when nobody listens at the origin any more. */
const untilClosed = async (origin: string): Promise<void> => {
  if (await isOpen(origin)) await untilClosed(origin);
};

describe('the end', () => {
  test('SIGTERM lets a request in flight finish, takes no other, and ends with 0, whatever is idle', async () => {
    const running = await start();
    const idle = openSocket(running.origin);
    await once(idle, 'connect');
    idle.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await readUntil(idle, /live\n/);
    const closed = once(idle, 'close');
    const token = await issueToken();
    const bytes = Buffer.alloc(100_000, 7);
    const socket = await beginUpload(running.origin, token, bytes.length);
    socket.write(bytes.subarray(0, 10_000));
    running.signal('SIGTERM');
    await untilClosed(running.origin);
    socket.write(bytes.subarray(10_000));
    const answer = await readUntil(socket, /\r\n\r\n\{.*\}/);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*"100000 bytes"/s);
    expect(await running.ended).toBe(0);
    await closed;

    const again = await start();
    const { text } = await getPet(askAt(again.origin), 1);
    expect(JSON.parse(text)).toMatchObject({ photoUrls: [expect.stringContaining('/files/')] });
  });

  test('SIGKILL takes nothing that was acknowledged', async () => {
    const running = await start();
    const ask = askAt(running.origin);
    const token = await issueToken();
    const acknowledged: number[] = [];
    const add = async (id: number): Promise<void> => {
      if ((await addPet(ask, token, id)).status === 200) acknowledged.push(id);
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(100 + index)));
    // These are cut off somewhere on their way.
    const late = Array.from({ length: 20 }, (_, index) => add(200 + index).catch(() => undefined));
    await Promise.race(late);
    expect(await running.end('SIGKILL')).toBeNull();
    await Promise.all(late);

    const again = askAt((await start()).origin);
    expect(acknowledged.length).toBeGreaterThan(20);
    for (const id of acknowledged) {
      expect(expectOk(await getPet(again, id))).toEqual({ id, name: `Rex ${id}`, photoUrls: [] });
    }
    expect(expectOk(await getPet(again, 1))).toMatchObject({ name: 'Bello' });
    expectOk(await addPet(again, token, 4711));
  });
});

describe('the admin program, while the server runs', () => {
  let served: Readonly<Record<string, string>> = {};
  let ask: Ask;
  beforeAll(async () => {
    served = { DATABASE_URL: await newDatabase() };
    ask = askAt((await program().start(served, { outlivesTest: true })).origin);
  });

  const admin = (...args: string[]) => program().admin(served, ...args);

  test('issues a token that works, and ends it', async () => {
    const issued = await admin(
      ...['token', 'create', '--service', 'petstore', '--user', 'demo'],
      ...['--scope', scopes.join(' ')],
    );
    expect(issued).toEqual({ exitCode: 0, out: expect.stringMatching(/^[\w-]{43}\n$/), err: '' });
    const token = issued.out.trim();
    expectOk(await addPet(ask, token, 50));
    const revoked = await admin('token', 'revoke', '--service', 'petstore', '--token', token);
    expect(revoked.exitCode).toBe(0);
    await expectError(await addPet(ask, token, 51), 401);
  });

  test('creates a user who can sign in, and a key that opens', async () => {
    const named = ['--service', 'ads', '--username', 'claire', '--password', 'assez long'];
    const created = await admin('user', 'create', ...named, '--field', 'isAgent=true');
    expect([created.exitCode, created.err]).toEqual([0, '']);
    expectOk(await ask('GET /ads/user/login?username=claire&password=assez+long'));
    const key = await admin('api-key', 'create', '--service', 'petstore', '--label', 'till');
    expectOk(await ask('GET /petstore/store/inventory', { key: key.out.trim() }));
  });

  test('refuses what cannot be in one sentence', async () => {
    const refused = await admin(
      ...['token', 'create', '--service', 'petstore', '--user', 'nobody', '--scope', 'read:pets'],
    );
    expect(refused).toMatchObject({ exitCode: 2, out: '' });
    expect(refused.err.trim().split('\n')).toHaveLength(1);
  });
});
