/** PostgreSQL in trouble under a running server: locked, away, cut off, frozen. The server answers, and recovers by itself. */

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { expectOk } from '../support/expect-ok';
import { expectUnavailable, expectUnknownOutcome } from '../support/expect-unavailable';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';
import { startTroubledServer, type TroubledServer } from '../support/troubled-server';

const password = 'geheim & sicher';

/** Repeats a request until it succeeds. */
const untilOk = (what: string, ask: () => Promise<{ status: number }>) =>
  until(what, async () => ((await ask()).status === 200 ? true : undefined));

describeOnPostgres('PostgreSQL in trouble', () => {
  const postgres = usePrivatePostgres();
  let server: TroubledServer;

  beforeAll(async () => {
    const literal = `'${password}'`;
    await postgres().query(`create role careful superuser login password ${literal}`);
    const url = new URL(postgres().url());
    Object.assign(url, { username: 'careful', password: encodeURIComponent(password) });
    server = await startTroubledServer(url.href, { DATABASE_CONNECTIONS: '2' });
  }, 60_000);

  afterEach(() => {
    // Whatever happened, nothing of the URL but its place is told.
    expect(server.log()).not.toContain(password);
    expect(server.log()).not.toContain(encodeURIComponent(password));
  });

  afterAll(() => server?.stop());

  /** Takes locks in a transaction of somebody else's; resolves to the function that ends it. */
  const hold = async (sql: string): Promise<() => Promise<void>> => {
    const other = await postgres().connect();
    await other.query(`begin; ${sql}`);
    return async () => {
      await other.query('rollback');
    };
  };

  test('connections that all wait for somebody else make 503, in the format that was asked for', async () => {
    const letGo = await hold('lock table items in access exclusive mode');
    const formats = ['application/json', 'application/xml', 'application/json'];
    const waiting = [...formats, ...formats].map((accept) =>
      server.ask('GET /petstore/pet/1', { key: 'special-key', accept }),
    );
    expect((await server.ask('GET /livez')).status).toBe(200);
    const answers = await Promise.all(waiting).finally(letGo);
    for (const answered of answers) await expectUnavailable(answered);
    expectOk(await server.getPet());
    const failures = server.failures().map(({ err }) => err.code ?? err.message);
    expect(failures).toContain('55P03');
    // Those that come together share a connection; how many do is left to chance.
    const others = failures.filter((failure) => failure !== '55P03');
    for (const other of others) expect(other).toContain('timeout exceeded when trying to connect');
  });

  test('a change that waits for a lock is refused, and the others are made', async () => {
    const letGo = await hold(`select from items join collections on collections.key = collection
        where service = 'petstore' and name = 'pets' and id = 1 for update of items`);
    const body = { id: 1, name: 'Bello', photoUrls: [] };
    const [added, changed, alsoAdded] = await Promise.all([
      server.addPet(),
      server.change(body),
      server.addPet(),
    ]).finally(letGo);
    await expectUnavailable(changed);
    expectOk(added);
    expectOk(alsoAdded);
    expectOk(await server.change(body));
    expect(server.failures()).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ code: '55P03' }) }),
    ]);
  });

  test('connections that were cut while they were idle are noticed by nobody', async () => {
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'careful'`;
    for (let round = 0; round < 5; round += 1) {
      expectOk(await server.getPet());
      expect(await postgres().query(cut)).not.toEqual([]);
      const answers = await Promise.all([server.getPet(), server.addPet(), server.getPet()]);
      answers.forEach(expectOk);
    }
    expect(server.failures()).toEqual([]);
  });

  test('a connection that is cut while it commits leaves nobody in false hope', async () => {
    await postgres().query(`
      create function linger() returns trigger language plpgsql as
        'begin perform pg_sleep(60); return null; end';
      create constraint trigger linger after insert on items deferrable initially deferred
        for each row execute function linger()`);
    const added = server.addPet('Unknown');
    await until('it commits', async () => {
      const cut = await postgres().query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'careful' and query = 'commit' and wait_event = 'PgSleep'`,
      );
      return cut.length > 0 || undefined;
    });
    await expectUnknownOutcome(await added);
    await postgres().query('drop trigger linger on items; drop function linger()');
    expectOk(await server.addPet());
    expect(server.failures()).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ code: '57P01' }) }),
    ]);
  });

  test('while it is away all answers are 503, and when it is back all is well', async () => {
    expectOk(await server.getPet());
    await postgres().stop();
    const login = 'GET /petstore/user/login?username=demo&password=demo-password';
    for (const answered of await Promise.all([
      ...[server.getPet(), server.addPet(), server.ask(login)],
      server.ask('GET /petstore/store/inventory', { key: 'special-key' }),
    ])) {
      await expectUnavailable(answered);
    }
    expect((await server.ask('GET /readyz')).status).toBe(503);
    expect((await server.ask('GET /livez')).status).toBe(200);
    expectOk(await server.ask('GET /petstore/docs/openapi.json'));
    expect(server.failures().map(({ msg, err }) => [msg, err.message])).toContainEqual([
      'The database is not available at the moment',
      expect.stringContaining('ECONNREFUSED'),
    ]);
    await postgres().start();
    await untilOk('it is ready again', () => server.ask('GET /readyz'));
    expectOk(await server.getPet());
    expectOk(await server.addPet());
    expectOk(await server.ask(login));
  });

  test('while it takes no connections all answers are 503, and then all is well', async () => {
    const operator = await postgres().connect();
    const allow = (isAllowed: boolean) =>
      operator.query(`update pg_database set datallowconn = ${isAllowed}`);
    await allow(false);
    await operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'careful'`,
    );
    const answers = [await server.getPet(), await server.addPet()];
    await allow(true);
    for (const answered of answers) await expectUnavailable(answered);
    expect(server.failures()).toContainEqual(
      expect.objectContaining({ err: expect.objectContaining({ code: '55000' }) }),
    );
    await untilOk('it serves again', () => server.getPet());
    expectOk(await server.addPet());
  });

  test('while it is frozen nobody waits for ever, and when it goes on all is well', async () => {
    expectOk(await server.getPet());
    expectOk(await server.addPet());
    await postgres().freeze();
    const answers = await Promise.all([
      ...[server.getPet(), server.getPet(), server.getPet(), server.getPet()],
      ...[server.addPet(), server.addPet()],
    ]).finally(() => postgres().thaw());
    for (const answered of answers) await expectUnavailable(answered);
    await untilOk('it is ready again', () => server.ask('GET /readyz'));
    expectOk(await server.getPet());
    expectOk(await server.addPet());
  }, 120_000);
});
