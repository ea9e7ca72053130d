/** The running program is asked to read its documents again, by SIGHUP; with several workers, all of them. */

import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { type Ask, askAt } from '../support/ask';
import { askEveryWorker, logLines } from '../support/log-lines';
import { useNewDatabases } from '../support/new-database';
import { type RunningProgram, useProgram } from '../support/program';

const program = useProgram();
const newDatabase = useNewDatabases();

let specs = '';
let handlers = '';
let environment: Readonly<Record<string, string>> = {};
let running: RunningProgram;
let ask: Ask;
/** The lines that were logged before the test. */
let earlier = 0;

const start = async (): Promise<void> => {
  running = await program().start(environment, { outlivesTest: true });
  ask = askAt(running.origin);
};

/** Starts it once for all tests of a describe, on copies of the documents and handlers. */
const startOnce = (WORKERS: string): void => {
  beforeAll(async () => {
    specs = await mkdtemp(join(program().directory, 'specs-'));
    handlers = `${specs}-handlers`;
    await cp('specs', specs, { recursive: true });
    await cp(join(program().build, 'handlers'), handlers, { recursive: true });
    environment = {
      ...{ DATABASE_URL: await newDatabase(), LOG_LEVEL: 'info', WORKERS },
      ...{ SPECS_DIRECTORY: specs, HANDLERS_DIRECTORY: handlers },
    };
    await start();
  });
  beforeEach(() => {
    earlier = logLines(running).length;
  });
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

const said = (text: string) =>
  logLines(running)
    .slice(earlier)
    .filter(({ msg }) => msg === text);
const served = 'Documents reloaded';
const refused = 'Documents reloaded in part';

const logged = (text: string, times = 1) => until(text, () => said(text).length >= times);

describe('one process', () => {
  startOnce('1');

  test('SIGHUP: what is right is served, and what is wrong is not', async () => {
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
  });
});

describe('two workers', () => {
  startOnce('2');

  /** Returns the messages of both for an unknown pet. */
  const messages = async (): Promise<string[]> => [
    ...new Set((await askEveryWorker(running, message)).answers),
  ];

  beforeAll(async () => {
    await askEveryWorker(running, message);
  });

  test('all serve what is right, and none what is wrong', async () => {
    await edit(unknownPet, noSuchPet);
    running.signal('SIGHUP');
    await logged(served, 2);
    expect(await messages()).toEqual(['No such pet']);
    expect((await ask('GET /metrics')).text).toMatch(
      /^documents_version\{version="[\da-f]{12}"\} 2$/m,
    );

    await edit(reference, broken);
    await edit(noSuchPet, unknownPet);
    running.signal('SIGHUP');
    await logged(refused, 2);
    expect(await messages()).toEqual(['No such pet']);
  });

  test('no request fails while they reload', async () => {
    const statuses = new Set<number>();
    let isOver = false;
    const hammer = async (): Promise<void> => {
      while (!isOver)
        statuses.add((await ask('GET /petstore/pet/1', { key: 'special-key' })).status);
    };
    const callers = [hammer(), hammer()];
    await edit(broken, reference);
    for (let round = 1; round <= 3; round += 1) {
      await edit(
        /version: .*/.exec(await readFile(join(specs, 'petstore.yaml'), 'utf8'))?.[0] ?? '',
        `version: 2.0.${round}`,
      );
      running.signal('SIGHUP');
      await logged(served, 2 * round);
    }
    isOver = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
  });

  test('one that is replaced serves what is on disk', async () => {
    await edit(unknownPet, noSuchPet);
    const { pids } = await askEveryWorker(running, message);
    process.kill(pids[0] ?? 0, 'SIGKILL');
    const answer = () => message().catch(() => 'closed');
    await until('another answers', async () => (await answer()) === 'No such pet');
    running.signal('SIGHUP');
    await logged(served, 2);
    expect(await messages()).toEqual(['No such pet']);
    expect(await running.end('SIGTERM')).toBe(0);
  });
});
