/** The program as a process: what it prints, how it ends, what outlives it, and the admin program beside it. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
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
const admin = (...args: string[]) => program().admin(environment, ...args);

const issueToken = async (): Promise<string> => {
  const scope = 'write:pets read:pets';
  const issued = await admin(
    ...['token', 'create', '--service', 'petstore', '--user', 'demo', '--scope', scope],
  );
  expect(issued).toEqual({ exitCode: 0, out: expect.stringMatching(/^[\w-]{43}\n$/), err: '' });
  return issued.out.trim();
};

const addPet = (ask: Ask, token: string, id: number) =>
  ask('POST /petstore/pet', { token, body: { id, name: `Rex ${id}`, photoUrls: [] } });
const getPet = (ask: Ask, id: number) => ask(`GET /petstore/pet/${id}`, { key: 'special-key' });

/** Resolves when nobody listens at the origin any more. */
const untilClosed = async (origin: string): Promise<void> => {
  if (await isOpen(origin)) await untilClosed(origin);
};

describe('the start', () => {
  test('prints addresses, demo credentials, and the faults of the documents with their places', async () => {
    const running = await start();
    const output = running.output();
    const { origin } = running;
    expect(output).toContain(`petstore: ${origin}/petstore (19 operations)`);
    expect(output).toContain(`ads: ${origin}/ads (4 operations)`);
    expectOk(await askAt(origin)('GET /petstore/store/order/1'));
    expect(await running.end('SIGTERM')).toBe(0);
    expect(running.output()).toMatch(/demo \/ demo-password .*special-key/);
  });

  test.each<[string, RegExp, RegExp]>([
    ['the dangling reference', /Category/, /\$ref: '#\/components\/schemas\/Category'/],
    ['the undeclared scope write:ads', /write:ads/, /write:ads, read:ads/],
    ['the undeclared scope read:ads', /read:ads/, /write:ads, read:ads/],
  ])('warns of %s where it stands', async (_, message, place) => {
    const running = await start();
    await running.end('SIGTERM');
    const warnings = running
      .output()
      .split('\n')
      .filter((line) => /warning:/.test(line));
    const warning = warnings.find((line) => message.test(line)) ?? '';
    const [, file = '', line, column] =
      /^(specs\/ads\.yaml):(\d+):(\d+) warning: /.exec(warning) ?? [];
    const text = readFileSync(join(__dirname, '../..', file), 'utf8').split('\n');
    const rest = text[Number(line) - 1] ?? '';
    expect(Number(column)).toBeGreaterThan(0);
    expect(rest.slice(Number(column) - 1) + rest).toMatch(place);
    expect(warnings.filter((other) => other.startsWith('specs/petstore.yaml'))).toEqual([]);
  });

  test('fails with every fault of the environment at once', async () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud', DEMO_DATA: 'perhaps', AUTH_URL: 'elsewhere' };
    const { exitCode, out, err } = await program().fail({ ...environment, ...wrong });
    expect([exitCode, out]).toEqual([1, '']);
    for (const name of Object.keys(wrong))
      expect(err).toMatch(new RegExp(`^ {2}${name} must be`, 'm'));
    expect(err).not.toMatch(/\n\s+at /);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['a database that is a folder', { DATABASE_URL: 'sqlite:specs' }, /specs/],
    ['no documents', { SPECS_DIRECTORY: 'handlers' }, /no OpenAPI document/],
    ['a folder that is not there', { SPECS_DIRECTORY: 'nowhere' }, /nowhere/],
    ['a host that is not here', { HOST: '192.0.2.1' }, /192\.0\.2\.1/],
  ])('fails in one sentence for %s', async (_, wrong, sentence) => {
    const { exitCode, out, err } = await program().fail({ ...environment, ...wrong });
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('fails in one sentence for a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { exitCode, err } = await program().fail({ ...environment, PORT: String(port) });
    other.close();
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/EADDRINUSE.*\n$/)]);
  });
});

describe('the end', () => {
  test.each<[NodeJS.Signals]>([['SIGTERM'], ['SIGINT']])(
    '%s lets a request in flight finish, takes no other, and ends with 0',
    async (signal) => {
      const running = await start();
      const token = await issueToken();
      const bytes = Buffer.alloc(100_000, 7);
      const socket = await beginUpload(running.origin, token, bytes.length);
      socket.write(bytes.subarray(0, 10_000));
      running.signal(signal);
      await untilClosed(running.origin);
      socket.write(bytes.subarray(10_000));
      const answer = await readUntil(socket, /\r\n\r\n\{.*\}/);
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*"100000 bytes"/s);
      expect(await running.ended).toBe(0);

      const again = await start();
      const { text } = await getPet(askAt(again.origin), 1);
      expect(JSON.parse(text)).toMatchObject({ photoUrls: [expect.stringContaining('/files/')] });
    },
  );

  test('idle connections do not hold it up', async () => {
    const running = await start();
    const socket = openSocket(running.origin);
    await once(socket, 'connect');
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await readUntil(socket, /live\n/);
    const closed = once(socket, 'close');
    expect(await running.end('SIGTERM')).toBe(0);
    await closed;
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
  test('issues a token that works, and ends it', async () => {
    const { origin } = await start();
    const token = await issueToken();
    expectOk(await addPet(askAt(origin), token, 50));
    const revoked = await admin('token', 'revoke', '--service', 'petstore', '--token', token);
    expect(revoked.exitCode).toBe(0);
    await expectError(await addPet(askAt(origin), token, 51), 401);
  });

  test('creates a user who can sign in, and a key that opens', async () => {
    const ask = askAt((await start()).origin);
    const named = ['--service', 'ads', '--username', 'claire', '--password', 'assez long'];
    const created = await admin('user', 'create', ...named, '--field', 'isAgent=true');
    expect([created.exitCode, created.err]).toEqual([0, '']);
    expectOk(await ask('GET /ads/user/login?username=claire&password=assez+long'));
    const key = await admin('api-key', 'create', '--service', 'petstore', '--label', 'till');
    expectOk(await ask('GET /petstore/store/inventory', { key: key.out.trim() }));
  });

  test('refuses what cannot be in one sentence', async () => {
    await (await start()).end('SIGTERM');
    const refused = await admin(
      ...['token', 'create', '--service', 'petstore', '--user', 'nobody', '--scope', 'read:pets'],
    );
    expect(refused).toMatchObject({ exitCode: 2, out: '' });
    expect(refused.err.trim().split('\n')).toHaveLength(1);
  });
});
