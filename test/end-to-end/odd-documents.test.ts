/** Documents that went wrong in odd places: the program starts and serves what it can, or says what is wrong and where. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { parse, stringify } from 'yaml';
import { describeDiagnostic } from '../../src/document/diagnostics/diagnostic';
import { handleApp, readApp } from '../../src/host/app';
import { buildApp } from '../../src/server/app';
import { appSettings, processContext } from '../../src/server/app-context';
import { type MountedService, mountedData } from '../../src/server/mounted-service';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { type NewDatabase, newDatabase } from '../support/new-database';
import { testConfig } from '../support/start';

/** Values that have no place where they are put. */
const oddValues: readonly unknown[] = [
  ...[null, [], {}, 0, -1, '', 'x', true, Infinity, NaN, 2n ** 64n, [null], [[]], { '': null }],
  ...[{ $ref: '#/x' }, { $ref: '#' }, { $ref: 5 }, 'https://[', '/{', 'array', ['a', 'a']],
  ...['#/components/schemas/Pet', { default: { $ref: '#/components/schemas/Pet' } }],
];

/** Numbers between 0 and 1, the same for the same seed (a linear congruential generator, Numerical Recipes). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

type Keys = readonly string[];

const pathsIn = (value: unknown, path: Keys = []): readonly Keys[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]))]
    : [path];

/** Changes one place of a document; gives a word about it. */
const spoil = (document: object, random: () => number): string => {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  const path = pick(pathsIn(document).slice(1));
  const holder: object = path
    .slice(0, -1)
    .reduce<object>((value, key) => Reflect.get(value, key) as object, document);
  const key = path.at(-1) ?? '';
  const value = pick(oddValues);
  const what = random();
  if (what < 0.2) Reflect.deleteProperty(holder, key);
  else if (what < 0.3) Reflect.set(holder, String(value), Reflect.get(holder, key));
  else Reflect.set(holder, key, value);
  return path.join('/');
};

let folder = '';
let database: NewDatabase;
let db: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'odd-documents-'));
  database = await newDatabase();
  db = await openDatabase(database.url, { connections: 2 });
});

afterAll(async () => {
  await closeDatabase(db);
  await database.remove();
  rmSync(folder, { recursive: true });
});

/** Returns the report of a start, or the error that ends it. */
const startWith = async (name: string, text: string): Promise<string> => {
  writeFileSync(join(folder, `${name}.yaml`), text);
  const config = testConfig({ SPECS_DIRECTORY: folder, DATABASE_URL: database.url });
  try {
    const process = await processContext(config, { log: pino({ level: 'silent' }) });
    const context = { ...process, origin: 'http://127.0.0.1', db };
    const settings = appSettings(config, context.origin, process, {});
    const read = await readApp<MountedService>(settings);
    const app = await buildApp(
      await handleApp(settings, read, (service) => mountedData(service, context, false)),
      context,
    );
    return ['', ...app.problems.map(describeDiagnostic)].join('\n');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(join(folder, `${name}.yaml`));
  }
};

const seeds = Array.from({ length: 16 }, (_, index) => index + 1);

test.each(seeds)('D17 the document with the faults of seed %i', async (seed) => {
  const random = randomFrom(seed);
  const name = random() < 0.75 ? 'petstore' : 'ads';
  const document: object = parse(readFileSync(`specs/${name}.yaml`, 'utf8'));
  const places = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    spoil(document, random),
  );
  const said = await startWith(name, stringify(document, { aliasDuplicateObjects: false }));
  // It started, or the error is made of diagnostics with their places.
  expect([places, said]).toEqual([places, expect.stringMatching(/^$|^\n|^\S+:\d+:\d+ error: /)]);
});
