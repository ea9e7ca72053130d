/** Migrations, logs, lifetimes and jobs of handlers, in a server on a real database. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../scripts/machine/until';
import { handlerLoader } from '../../../src/host/module-loader';
import { type RunningServer, startServer } from '../../../src/server/server';
import { askAt } from '../../support/ask';
import { isPostgres, type NewDatabase, newDatabase } from '../../support/new-database';
import { testConfig } from '../../support/start';

const document = `openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: {} } } } } }
  /slow:
    get: { operationId: waitForIt, responses: { '204': { description: ok } } }
`;

let folder = '';
const lines: Record<string, unknown>[] = [];
const servers: RunningServer[] = [];
let database: NewDatabase;

/** What the modules of a test tell it, which are no modules of jest. */
const told: string[] = [];
Reflect.set(process, 'tellTest', (text: string) => told.push(text));
Reflect.set(
  process,
  'waitForTest',
  () => new Promise<void>((resolve) => Reflect.set(process, 'goOn', resolve)),
);

const write = (files: Readonly<Record<string, string>>): void => {
  rmSync(join(folder, 'handlers'), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'handlers/notes', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
};

const start = async (
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> => {
  const config = testConfig({
    ...{ SPECS_DIRECTORY: join(folder, 'specs'), HANDLERS_DIRECTORY: join(folder, 'handlers') },
    ...{ DATABASE_URL: database.url, LOG_LEVEL: 'info', ...environment },
  });
  const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
  const loader = handlerLoader(config.handlersDirectory);
  const server = await startServer(config, { log, loadHandlers: loader.load });
  Reflect.set(server, 'forget', () => loader.forget([join(folder, 'handlers/notes/notes.cjs')]));
  servers.push(server);
  return server;
};

const reload = (server: RunningServer) => {
  Reflect.get(server, 'forget')();
  return server.reload();
};

const messages = (): unknown[] =>
  lines.filter(({ msg }) => msg !== 'request').map(({ msg }) => msg);

const ask = (server: RunningServer, path: string) => askAt(server.origin)(`GET ${path}`);

beforeEach(async () => {
  // Of its own, since modules stay in memory by their paths.
  folder = mkdtempSync(join(tmpdir(), 'own-code-'));
  mkdirSync(join(folder, 'specs'));
  writeFileSync(join(folder, 'specs/notes.yaml'), document);
  database = await newDatabase();
  lines.length = 0;
  told.length = 0;
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await database.remove();
  rmSync(folder, { recursive: true });
  Reflect.deleteProperty(process, 'goOn');
});

const notes = `exports.up = (knex) => knex.schema.createTable('note', (table) => {
  table.increments('id');
  table.text('text');
  table.timestamp('at').defaultTo(knex.fn.now());
});
exports.down = (knex) => knex.schema.dropTable('note');
`;
const first = { 'migrations/2026_note.cjs': notes };
const handlers = (
  body: string,
  parameters = '{ database, log, lifetime }',
): Record<string, string> => ({
  'notes.cjs': `exports.make = async (${parameters}) => { ${body} };\n`,
});
const listing = handlers(`return {
  listNotes: async () => ({ status: 200, body: await database('note').select('text') }),
  waitForIt: async ({ log, lifetime }) => {
    lifetime.after(() => process.tellTest('after'));
    await process.waitForTest();
    log.info({ step: 1 }, 'waited');
    return { status: 204 };
  },
};`);

describe('migrations', () => {
  test('run before the handlers are made, once', async () => {
    write({
      ...first,
      ...handlers(`await database('note').insert({ text: 'made' });
      return { listNotes: async () => ({ status: 200, body: await database('note').select('text') }) };`),
    });
    expect((await ask(await start(), '/notes')).text).toBe('[{"text":"made"}]');
    await servers[0]?.stop();
    servers.length = 0;
    expect((await ask(await start(), '/notes')).text).toBe('[{"text":"made"},{"text":"made"}]');
  });

  test('of processes that start together run once', async () => {
    write({ ...first, ...listing });
    const [one, other] = await Promise.all([start(), start()]);
    expect((await ask(one, '/notes')).text + (await ask(other, '/notes')).text).toBe('[][]');
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'fails',
      {
        '2027_bad.cjs': `exports.up = async (knex) => {\n  await knex.schema.createTable('half', (table) => table.increments('id'));\n  await knex('nothing').insert({ id: 1 });\n};`,
      },
      /2027_bad\.cjs:3:\d+: (?:no such table: nothing|relation "nothing" does not exist)\. Nothing of it stays$/,
    ],
    [
      'changes a table of the server',
      { '2027_bad.cjs': `exports.up = (knex) => knex('users').del();` },
      /2027_bad\.cjs.*: users is a table of the server, which handlers do not change/,
    ],
    [
      'has no function',
      { '2027_bad.cjs': 'exports.up = 1;' },
      /2027_bad\.cjs: it has to export a function `up`$/,
    ],
    ['cannot be loaded', { '2027_bad.cjs': 'exports.up = ;' }, /2027_bad\.cjs cannot be loaded: /],
    [
      'has no time',
      { 'bad.cjs': notes },
      /bad\.cjs: its name has to begin with its time, as 20261128_loans\.ts does$/,
    ],
    [
      'has the time of another',
      { '2026_bad.cjs': notes },
      /2026_note\.cjs and .*2026_bad\.cjs have one time: give one of them another$/,
    ],
    [
      'was changed',
      { '2026_note.cjs': `${notes}// changed` },
      /2026_note\.cjs was changed after it ran: put it back, and change the tables by another migration$/,
    ],
    [
      'makes a table that is there',
      { '2027_bad.cjs': notes },
      /2027_bad\.cjs.*already exists\. Nothing of it stays$/,
    ],
  ])('one that %s ends the start with a sentence', async (_, bad, sentence) => {
    write({ ...first, ...listing });
    await (await start()).stop();
    servers.length = 0;
    write({
      ...first,
      ...listing,
      ...Object.fromEntries(
        Object.entries(bad).map(([name, text]) => [`migrations/${name}`, text]),
      ),
    });
    await expect(start()).rejects.toThrow(sentence);
    write({ ...first, ...listing });
    const server = await start();
    expect(await server.db.knex.schema.hasTable('half')).toBe(false);
  });

  test('one that ran and is gone ends the start with a sentence', async () => {
    write({ ...first, ...listing });
    await (await start()).stop();
    servers.length = 0;
    write(listing);
    await expect(start()).rejects.toThrow(
      'The migration 2026_note of notes has run, and its file is gone',
    );
  });

  test('one that fails at a reload leaves the old application', async () => {
    write({ ...first, ...listing });
    const server = await start();
    write({
      ...first,
      ...listing,
      'migrations/2027_bad.cjs': `exports.up = (knex) => knex('nothing').del();`,
    });
    await expect(reload(server)).rejects.toThrow(/2027_bad\.cjs/);
    expect((await ask(server, '/notes')).text).toBe('[]');
  });
});

describe('a lifetime', () => {
  const counted = handlers(`
    lifetime.onEnd(() => process.tellTest('first'));
    lifetime.onEnd(() => { process.tellTest('second'); throw new Error('broken end'); });
    lifetime.signal.addEventListener('abort', () => process.tellTest('signal'));
    return { waitForIt: async ({ log, lifetime }) => {
      lifetime.after(() => process.tellTest('after'));
      await process.waitForTest();
      log.info({ step: 1 }, 'waited');
      return { status: 204 };
    } };`);

  test('ends behind the last request after a reload, the last work first', async () => {
    write(counted);
    const server = await start();
    const answer = ask(server, '/slow');
    await until('it is so', () => Reflect.get(process, 'goOn') !== undefined);
    await reload(server);
    expect(told).toEqual([]);
    Reflect.get(process, 'goOn')();
    expect((await answer).status).toBe(204);
    await until('it is so', () => told.includes('first'));
    expect(told).toEqual(['after', 'signal', 'second', 'first']);
    expect(messages()).toContain('The end of handlers failed');
    const line = lines.find(({ msg }) => msg === 'waited');
    expect(line).toMatchObject({
      service: 'notes',
      operation: 'waitForIt',
      step: 1,
      requestId: expect.any(String),
    });
    await server.stop();
    servers.length = 0;
    expect(told.slice(4)).toEqual(['signal', 'second', 'first']);
  });

  test('of a factory that fails ends at once; its operations answer 503, and others serve', async () => {
    write({
      'a.cjs': `exports.make = ({ lifetime }) => { lifetime.onEnd(() => process.tellTest('ended')); throw new Error('no key'); };\n// waitForIt`,
      'b.cjs': `exports.listNotes = () => ({ status: 200, body: [] });`,
    });
    const server = await start();
    expect(told).toEqual(['ended']);
    expect([(await ask(server, '/slow')).status, (await ask(server, '/notes')).status]).toEqual([
      503, 200,
    ]);
    expect(server.app.handlerFindings.map(({ message }) => message).join()).toContain('no key');
  });

  test('does not hold up a stop for longer than its time', async () => {
    write(
      handlers(`lifetime.onEnd(() => new Promise(() => {}));
      return { listNotes: () => ({ status: 200, body: [] }) };`),
    );
    const server = await start({ SHUTDOWN_SECONDS: '1' });
    await server.stop();
    servers.length = 0;
    expect(messages()).toContain('Handlers did not end in time');
  });

  test('is over for a hundred reloads, with no handle more', async () => {
    write(
      handlers(`const timer = setInterval(() => {}, 1000);
      lifetime.onEnd(() => { clearInterval(timer); process.tellTest('end'); });
      lifetime.every('1 hour', 'sweep', () => {});
      return { listNotes: async () => ({ status: 200, body: await database.raw('select 1 as one') }) };`),
    );
    const server = await start();
    await reload(server);
    const before = process.getActiveResourcesInfo().length;
    for (let times = 0; times < 100; times += 1) {
      const asked = ask(server, '/notes');
      await reload(server);
      expect((await asked).text).toBe('[{"one":1}]');
    }
    await until('it is so', () => told.length === 101);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 3);
  });
});

describe('a statement', () => {
  const isRunning = async (server: RunningServer): Promise<boolean> => {
    const { rows } = await server.db.knex.raw(
      `select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`,
    );
    return rows.length > 0;
  };

  (isPostgres ? test : test.skip)('ends when its caller has left', async () => {
    write(
      handlers(`return {
        listNotes: async () => ({ status: 200, body: await database.raw('select pg_sleep(9)') }) };`),
    );
    const server = await start();
    const leaving = new AbortController();
    const asked = fetch(`${server.origin}/notes`, { signal: leaving.signal });
    await until('it sleeps', () => isRunning(server));
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await until('it has ended', async () => !(await isRunning(server)), {
      timeoutMilliseconds: 4000,
    });
  });
});

describe('a job', () => {
  const job = (work: string, interval = '1 second') =>
    handlers(`lifetime.every('${interval}', 'remind', async ({ database, log, signal, transaction }) => { ${work} });
      return { listNotes: async () => ({ status: 200, body: await database('note').select('text') }) };`);

  test('runs once for all processes, with what the service keeps', async () => {
    write({
      ...first,
      ...job(`await database('note').insert({ text: 'turn' }); log.info('turned');`),
    });
    const [one] = [await start(), await start()];
    await until('it is so', async () => JSON.parse((await ask(one, '/notes')).text).length >= 2);
    const turns = lines.filter(({ msg }) => msg === 'turned');
    const stored = JSON.parse((await ask(one, '/notes')).text);
    expect(Math.abs(stored.length - turns.length)).toBeLessThanOrEqual(1);
    expect(turns[0]).toMatchObject({ service: 'notes', job: 'remind' });
  });

  test('that fails is logged and has another turn', async () => {
    write(job(`process.tellTest('turn'); throw new Error('not now');`));
    await start();
    await until('it is so', () => told.length >= 2);
    expect(messages()).toContain('The job remind failed: not now');
  });

  test('is told of a stop, and never beside itself', async () => {
    write(
      job(`process.tellTest('begin');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      process.tellTest('end');`),
    );
    const one = await start();
    await until('it is so', () => told.includes('begin'));
    const other = await start();
    await reload(other);
    expect(told).toEqual(['begin']);
    await one.stop();
    await other.stop();
    servers.length = 0;
    expect(told).toEqual(['begin', 'end']);
  });

  test.each([
    [
      'no interval',
      `lifetime.every('soon', 'a', () => {})`,
      `"soon" is no interval: write '1 second', '10 minutes', '2 hours' or '1 day'`,
    ],
    [
      'a name twice',
      `lifetime.every('1 day', 'a', () => {}); lifetime.every('1 day', 'a', () => {})`,
      'Two jobs are called a',
    ],
  ])('with %s fails its factory', async (_, body, sentence) => {
    write(handlers(`${body}; return { listNotes: () => ({ status: 200, body: [] }) };`));
    const server = await start();
    expect((await ask(server, '/notes')).status).toBe(503);
    expect(server.app.handlerFindings.map(({ message }) => message).join()).toContain(sentence);
  });

  test('a lease that is not renewed ends', async () => {
    write({ ...first, ...job(`await database('note').insert({ text: 'turn' });`, '1 day') });
    const server = await start();
    const { knex } = server.db;
    await until('it is so', async () => (await knex('jobs').first()) !== undefined);
    const past = Date.now() - 86_400_000;
    // A process that died while it held the job.
    await knex('jobs').update({
      holder: 'dead',
      began_at: String(past),
      held_until: String(Date.now() + 300),
    });
    await server.stop();
    servers.length = 0;
    const next = await start();
    await until('it is so', async () => JSON.parse((await ask(next, '/notes')).text).length === 1);
  });
});
