/** The running program is asked to read its documents again: by SIGHUP, and by the admin program; with several workers, all of them. */

import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Ask, askAt } from '../support/ask';
import { eventually } from '../support/eventually';
import { answering, askEveryWorker, logLines } from '../support/log-lines';
import { useNewDatabases } from '../support/new-database';
import { type RunningProgram, useProgram } from '../support/program';

const program = useProgram();
const newDatabase = useNewDatabases();

let specs = '';
let handlers = '';
let environment: Readonly<Record<string, string>> = {};
let running: RunningProgram;
let ask: Ask;

beforeEach(async () => {
  specs = await mkdtemp(join(program().directory, 'specs-'));
  handlers = `${specs}-handlers`;
  await cp('specs', specs, { recursive: true });
  environment = {
    DATABASE_URL: await newDatabase(),
    SPECS_DIRECTORY: specs,
    LOG_LEVEL: 'info',
    CONTROL_SOCKET: `${specs}.sock`,
  };
});

const start = async (further: Readonly<Record<string, string>> = {}): Promise<void> => {
  environment = { ...environment, ...further };
  running = await program().start(environment);
  ask = askAt(running.origin);
};

/** Replaces a text of petstore.yaml. */
const edit = async (from: string, to: string): Promise<void> => {
  const file = join(specs, 'petstore.yaml');
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
};

const unknownPet = 'description: Pet not found';
const noSuchPet = 'description: No such pet';
const reference = "$ref: '#/components/responses/OrderNotFound'";
const broken = "$ref: '#/components/responses/Nobody'";

/** Returns the message for an unknown pet. */
const message = async (): Promise<string> => {
  const { text } = await ask('GET /petstore/pet/77', { key: 'special-key' });
  return JSON.parse(text).message;
};

const said = (text: string) => logLines(running).filter(({ msg }) => msg === text);
const served = 'Documents reloaded';
const refused = 'Documents reloaded in part';

const logged = (text: string, times = 1) =>
  eventually(text, () => said(text).length >= times || undefined);

const admin = (...args: string[]) => program().admin(environment, ...args);

describe('one process', () => {
  test('SIGHUP: what is right is served, and what is wrong is not', async () => {
    await start();
    await edit(unknownPet, noSuchPet);
    running.signal('SIGHUP');
    await logged(served);
    expect(await message()).toBe('No such pet');
    expect(said(served)).toEqual([
      expect.objectContaining({
        pid: running.pid,
        version: expect.stringMatching(/^[\da-f]{12}$/),
      }),
    ]);

    await edit(reference, broken);
    await edit(noSuchPet, unknownPet);
    running.signal('SIGHUP');
    await logged(refused);
    expect(said(refused)).toEqual([
      expect.objectContaining({
        refused: expect.arrayContaining([
          expect.stringMatching(/petstore\.yaml:\d+:\d+ error: .*getOrderById/),
          expect.stringMatching(/last good version is served$/),
        ]),
      }),
    ]);
    expect(await message()).toBe('No such pet');
    expect(await running.end('SIGTERM')).toBe(0);
  });

  test('admin reload says what came of it', async () => {
    await start({ LOG_LEVEL: 'silent' });
    await edit(unknownPet, noSuchPet);
    const done = await admin('reload');
    expect(done).toMatchObject({
      exitCode: 0,
      err: '',
      out: expect.stringMatching(/version [\da-f]{12}\n$/),
    });
    expect(await message()).toBe('No such pet');
    await edit(reference, broken);
    expect(await admin('reload')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(
        /petstore\.yaml:\d+:\d+ error: .*\nSome documents were refused\. The server serves version [\da-f]{12}\n$/s,
      ),
    });
    expect(await running.end('SIGTERM')).toBe(0);
    expect(await admin('reload')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^No server listens at CONTROL_SOCKET .*\n$/),
    });
  });

  test('the control socket of a server that was killed is taken over', async () => {
    await start();
    await running.end('SIGKILL');
    await start();
    expect(await admin('reload')).toMatchObject({ exitCode: 0 });
  });
});

describe('two workers', () => {
  /** Returns the messages of both for an unknown pet. */
  const messages = async (): Promise<string[]> => [
    ...new Set((await askEveryWorker(running, message)).answers),
  ];

  test('all serve what is right, and none what is wrong', async () => {
    await start({ WORKERS: '2' });
    await edit(unknownPet, noSuchPet);
    running.signal('SIGHUP');
    await logged(served);
    expect(await messages()).toEqual(['No such pet']);
    expect((await ask('GET /metrics')).text).toMatch(
      /^documents_version\{version="[\da-f]{12}"\} 2$/m,
    );

    await edit(reference, broken);
    await edit(noSuchPet, unknownPet);
    expect(await admin('reload')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/petstore\.yaml:\d+:\d+ error: /),
    });
    expect(await messages()).toEqual(['No such pet']);
    expect(await running.end('SIGTERM')).toBe(0);
  });

  test('one that is replaced serves what the other serves, or does not start', async () => {
    await start({ WORKERS: '2' });
    expect(await messages()).toEqual(['Pet not found']);
    const [victim = 0] = answering(logLines(running));
    await edit(unknownPet, noSuchPet);
    process.kill(victim, 'SIGKILL');
    await logged('Worker could not start');
    expect(said('Worker could not start')[0]).toMatchObject({
      err: {
        message: expect.stringMatching(
          /^Worker not started: the files on disk .* put the files back\.$/,
        ),
      },
    });
    expect(await message()).toBe('Pet not found');
    running.signal('SIGHUP');
    await logged(served);
    await logged('Worker restarted');
    expect(await messages()).toEqual(['No such pet']);
    expect(await running.end('SIGTERM')).toBe(0);
  });

  test.each<[string, () => Promise<void>]>([
    [
      'a document is broken',
      async () => {
        await edit(unknownPet, `${noSuchPet}: twice`);
        expect(await admin('reload')).toMatchObject({ exitCode: 1 });
      },
    ],
    [
      'handlers are others',
      async () => {
        const file = join(handlers, 'petstore', 'store.js');
        await writeFile(file, `${await readFile(file, 'utf8')}// Another build.\n`);
      },
    ],
  ])('one that is replaced while %s does not start', async (_, arrange) => {
    await cp(join(program().build, 'handlers'), handlers, { recursive: true });
    await start({ WORKERS: '2', HANDLERS_DIRECTORY: handlers });
    expect(await messages()).toEqual(['Pet not found']);
    const [victim = 0] = answering(logLines(running));
    await arrange();
    process.kill(victim, 'SIGKILL');
    await logged('Worker could not start');
    expect(said('Worker could not start')[0]).toMatchObject({
      err: { message: expect.stringMatching(/^Worker not started: the files on disk /) },
    });
    for (let count = 0; count < 5; count += 1) expect(await message()).toBe('Pet not found');
    expect(await running.end('SIGTERM')).toBe(0);
  });

  test('no request fails while they reload', async () => {
    await start({ WORKERS: '2' });
    const statuses = new Set<number>();
    let isOver = false;
    const hammer = async (): Promise<void> => {
      while (!isOver)
        statuses.add((await ask('GET /petstore/pet/1', { key: 'special-key' })).status);
    };
    const callers = [hammer(), hammer()];
    for (let round = 1; round <= 3; round += 1) {
      await edit(
        /version: .*/.exec(await readFile(join(specs, 'petstore.yaml'), 'utf8'))?.[0] ?? '',
        `version: 2.0.${round}`,
      );
      running.signal('SIGHUP');
      await logged(served, round);
    }
    isOver = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
    expect(await running.end('SIGTERM')).toBe(0);
  });
});
