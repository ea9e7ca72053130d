/** Whether ours stays as fast with more operations, more pets and more connections, and what memory it takes. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootFolder } from '../../../root-folder';
import { ask, wireRequests } from '../../load/request';
import { atInterruption } from '../../machine/interrupt';
import { known, median } from '../../report/figures';
import { markdownTable } from '../../report/layout';
import { none, shown } from '../../report/table';
import type { Progress } from '../../runs/race';
import { measure, type Sample } from '../../runs/sample';
import { addStep, readStep } from '../../scenarios/pet-steps';
import { byToken, get } from '../../scenarios/requests';
import { type Setting, type Step, stepsOf } from '../../scenarios/scenario';
import type { Running } from '../../targets/contestant';
import { freshPath, removeDatabase } from '../../targets/database-files';
import { type OurOptions, startOurs } from '../../targets/ours';
import { createDatabase, dropDatabase } from '../../targets/postgres-databases';
import type { DatabaseServer } from '../../targets/postgres-server';
import { issueCredentials } from '../../targets/seed-ours';
import { writeDocuments } from './large-document';
import { addCopiedPets, addFoundPets, copiedPets, copyPets, foundPets } from './many-pets';

/** One thing that is varied, and the others as they usually are. */
interface Size {
  readonly operations: number;
  readonly pets: number;
  readonly connections: number;
}

const usual: Size = { operations: 20, pets: copiedPets, connections: 64 };

/** The sizes of each table. */
const sizes: Readonly<Record<keyof Size, readonly number[]>> = {
  operations: [20, 1000, 5000],
  pets: [copiedPets, 100_000, 1_000_000],
  connections: [1, 64, 512, 2000],
};

/** Left out of `--quick`: it takes minutes to store so many. */
const mostQuickPets = 100_000;

/** How it is measured. */
export interface FlatOptions {
  /** What is varied; none named: everything. */
  readonly names: readonly string[];
  readonly quick: boolean;
  readonly rounds: number;
  readonly seconds: number;
}

const findPath = '/petstore/pet/findByStatus?status=pending';

/** The requests that are measured, by the heads of their columns. */
const scenarios: Readonly<Record<string, (setting: Setting) => readonly Step[]>> = {
  'read by key': (setting) => stepsOf((number) => readStep(setting, number, 'key', 'json')),
  [`find ${foundPets}`]: ({ credentials }) => [
    { request: get(findPath, byToken(credentials)), status: 200, check: () => {} },
  ],
  add: (setting) => stepsOf((number) => addStep(setting, number, 'json')),
};

/** A kind of database, of which each measurement gets a new one. */
interface Kind {
  readonly title: string;
  make(): Promise<string>;
  remove(url: string): Promise<void>;
}

const sqlite: Kind = {
  title: 'SQLite',
  make: async () => `sqlite:${freshPath()}`,
  remove: async (url) => removeDatabase(url.slice('sqlite:'.length)),
};

const flatDatabase = 'bench_flat';
const postgresIn = (server: DatabaseServer): Kind => ({
  title: 'PostgreSQL',
  make: () => createDatabase(server, flatDatabase),
  remove: () => dropDatabase(server, flatDatabase),
});

const checkFound = async (running: Running): Promise<void> => {
  const { text } = await ask(get(findPath, byToken(running.credentials)), running);
  const found: unknown[] = JSON.parse(text);
  if (found.length !== foundPets) throw new Error(`${found.length} pets are found`);
};

/** Requests a second and processor time of the server for one, with wrong responses where there are any. */
const cellOf = (samples: readonly Sample[]): string => {
  const rate = shown(median(samples.map(({ perSecond }) => perSecond)));
  const processor = shown(median(known(samples.map(({ processor }) => processor))));
  const faults = known(samples.map((sample) => sample.faults));
  return [`${rate} / ${processor}`, ...faults.map((fault) => `(${fault})`)].join(' ');
};

/** A cell for each scenario, and megabytes of memory after them. */
const measureAll = async (
  running: Running,
  { pets, connections }: Size,
  { rounds, seconds }: FlatOptions,
  core: number | undefined,
): Promise<string[]> => {
  const cells: string[] = [];
  let resident: number | undefined;
  for (const make of Object.values(scenarios)) {
    const requests = wireRequests(make({ credentials: running.credentials, pets }), running);
    await measure({ running, requests, connections, core }, 1);
    const samples: Sample[] = [];
    while (samples.length < rounds) {
      samples.push(await measure({ running, requests, connections, core }, seconds));
    }
    resident = samples.at(-1)?.resident;
    cells.push(cellOf(samples));
  }
  return [...cells, resident === undefined ? none : shown(resident / 2 ** 20)];
};

/** Fills a database as wanted, serves from it and measures. */
const measureOn = async (
  kind: Kind,
  size: Size,
  options: FlatOptions,
  core: number | undefined,
): Promise<string[]> => {
  const specs = mkdtempSync(join(tmpdir(), 'specs-'));
  const removeSpecs = (): void => rmSync(specs, { recursive: true });
  const callOff = atInterruption(removeSpecs);
  writeDocuments(specs, size.operations);
  const ours: OurOptions = {
    folder: rootFolder,
    environment: {
      ...{ SPECS_DIRECTORY: specs, STRICT_HANDLERS: 'false', MOCK_MISSING_HANDLERS: 'true' },
      MAX_CONNECTIONS: '4000',
    },
    say: () => {},
  };
  const url = await kind.make();
  try {
    const credentials = issueCredentials(rootFolder, url);
    const serve = async <Result>(use: (running: Running) => Promise<Result>): Promise<Result> => {
      const firstPath = '/petstore/store/inventory';
      const running = await startOurs(ours, url, credentials, core, { firstPath });
      return use(running).finally(() => running.stop());
    };
    await serve(addCopiedPets);
    await copyPets(url, size.pets);
    return await serve(async (running) => {
      await addFoundPets(running, size.pets);
      await checkFound(running);
      return measureAll(running, size, options, core);
    });
  } finally {
    await kind.remove(url);
    removeSpecs();
    callOff();
  }
};

const isNamed = ({ names }: FlatOptions, varied: string): boolean =>
  names.length === 0 || names.includes(varied);

/** Measures and prints a table for each thing that is varied. */
export const measureFlat = async (
  options: FlatOptions,
  server: DatabaseServer,
  core: number | undefined,
  progress: Progress,
): Promise<void> => {
  const kinds = [sqlite, postgresIn(server)];
  const columns = [...Object.keys(scenarios), 'MB'];
  const all = ['operations', 'pets', 'connections'] as const;
  for (const varied of all.filter((one) => isNamed(options, one))) {
    const most = options.quick && varied === 'pets' ? mostQuickPets : Number.POSITIVE_INFINITY;
    const rows: string[][] = [];
    for (const count of sizes[varied].filter((one) => one <= most)) {
      const row = [count.toLocaleString('en')];
      for (const kind of kinds) {
        progress.step(0, 0, `${kind.title}, ${row[0]} ${varied}`);
        row.push(...(await measureOn(kind, { ...usual, [varied]: count }, options, core)));
      }
      rows.push(row);
    }
    const head = [
      varied,
      ...kinds.flatMap(({ title }) => columns.map((one) => `${title}: ${one}`)),
    ];
    const title = `Requests a second / processor µs for one, and megabytes of memory, by the number of ${varied}`;
    process.stdout.write(`\n${markdownTable({ title, head, rows })}\n`);
  }
};
