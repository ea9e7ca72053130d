/** Whether ours stays as fast with more operations, more pets and more connections, and what memory it takes. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootFolder } from '../../../root-folder';
import { ask, wireRequests } from '../../load/request';
import { atInterruption } from '../../machine/interrupt';
import { known, median } from '../../report/figures';
import {
  type FlatComparison,
  type FlatFigure,
  type FlatPoint,
  flatTable,
} from '../../report/flat-figures';
import { markdownTable } from '../../report/layout';
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
import { untilIdle } from '../../targets/until-idle';
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

const figureOf = (scenario: string, samples: readonly Sample[]): FlatFigure => ({
  scenario,
  perSecond: median(samples.map(({ perSecond }) => perSecond)),
  processor: median(known(samples.map(({ processor }) => processor))),
  faults: known(samples.map(({ faults }) => faults)),
});

/** A figure for each scenario, and the memory after them. */
const measureAll = async (
  running: Running,
  { pets, connections }: Size,
  { rounds, seconds }: FlatOptions,
  core: number | undefined,
): Promise<Omit<FlatPoint, 'count'>> => {
  const figures: FlatFigure[] = [];
  let resident: number | undefined;
  for (const [scenario, make] of Object.entries(scenarios)) {
    const requests = wireRequests(make({ credentials: running.credentials, pets }), running);
    await measure({ running, requests, connections, core }, 1);
    const samples: Sample[] = [];
    while (samples.length < rounds) {
      samples.push(await measure({ running, requests, connections, core }, seconds));
    }
    resident = samples.at(-1)?.resident;
    figures.push(figureOf(scenario, samples));
  }
  return { figures, resident };
};

/** Fills a database as wanted, serves from it and measures. */
const measureOn = async (
  kind: Kind,
  size: Size,
  options: FlatOptions,
  core: number | undefined,
): Promise<Omit<FlatPoint, 'count'>> => {
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
      await untilIdle(running);
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
): Promise<readonly FlatComparison[]> => {
  const kinds = [sqlite, postgresIn(server)];
  const all = ['operations', 'pets', 'connections'] as const;
  const comparisons: FlatComparison[] = [];
  for (const varied of all.filter((one) => isNamed(options, one))) {
    const most = options.quick && varied === 'pets' ? mostQuickPets : Number.POSITIVE_INFINITY;
    const series = kinds.map(({ title }) => ({ database: title, points: [] as FlatPoint[] }));
    for (const count of sizes[varied].filter((one) => one <= most)) {
      for (const [index, kind] of kinds.entries()) {
        progress.step(0, 0, `${kind.title}, ${count.toLocaleString('en')} ${varied}`);
        const measured = await measureOn(kind, { ...usual, [varied]: count }, options, core);
        series[index]?.points.push({ count, ...measured });
      }
    }
    const comparison = { varied, series };
    process.stdout.write(`\n${markdownTable(flatTable(comparison))}\n`);
    comparisons.push(comparison);
  }
  return comparisons;
};
