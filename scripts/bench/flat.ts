/** `npm run bench -- --flat`: the speed and memory of ours with more operations, more pets and more connections. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootFolder } from '../root-folder';
import { atEnd } from './cleanup';
import type { Databases } from './contestants/databases';
import { prepareContestants } from './contestants/fill';
import { untilIdle } from './contestants/launch';
import { ours } from './contestants/programs';
import { checkedRequests, chooseScenarios } from './race';
import { measure, type Sample } from './sample';
import { known, median, shown, type Table } from './tables';

/** One thing that is varied, and the others as they usually are. */
interface Size {
  readonly operations: number;
  readonly pets: number;
  readonly connections: number;
}

const usual: Size = { operations: 20, pets: 1000, connections: 64 };

/** The sizes of each table. */
const sizes: Readonly<Record<keyof Size, readonly number[]>> = {
  operations: [20, 1000, 5000],
  pets: [1000, 100_000, 1_000_000],
  connections: [1, 64, 512, 2000],
};

/** The scenarios, with the heads of their columns. */
const scenarioTitles = {
  'read-json-key': 'read by key',
  'find-by-status-short': 'find 100',
  'add-json': 'add',
} as const;

/** One scenario at one size on one database. */
export interface FlatFigure {
  readonly scenario: string;
  readonly perSecond: number;
  /** Microseconds of the server's processor for one request. */
  readonly processor: number;
  /** Wrong responses. */
  readonly faults: readonly string[];
}

/** One size on one database. */
export interface FlatPoint {
  /** The size of what is varied. */
  readonly count: number;
  readonly figures: readonly FlatFigure[];
  /** Megabytes of memory after all scenarios. */
  readonly megabytes: number;
}

/** All sizes on all databases of one thing that is varied. */
export interface FlatComparison {
  readonly varied: string;
  readonly series: readonly { readonly database: string; readonly points: FlatPoint[] }[];
}

/** An operation without a handler. */
const operation = (number: number): string => `
  /extra-${number}/{extraId}:
    get:
      tags: [pet]
      operationId: getExtra${number}
      parameters:
        - { name: extraId, in: path, required: true, schema: { type: integer, format: int64 } }
        - { name: size, in: query, schema: { type: integer, maximum: ${number} } }
      responses:
        '200':
          description: Number ${number}
          content:
            application/json: { schema: { $ref: '#/components/schemas/Pet' } }
`;

/** Adds operations to the text of a document until it has that many. */
export const withOperations = (document: string, wanted: number): string => {
  const present = document.match(/^ +operationId:/gm)?.length ?? 0;
  const added = Array.from({ length: Math.max(0, wanted - present) }, (_, index) =>
    operation(index + 1),
  );
  return document.replace(/^paths:\n/m, `paths:\n${added.join('')}`);
};

/** Copies the documents into a temporary folder, the pet store with that many operations. */
const writeDocuments = (operations: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'specs-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  cpSync(join(rootFolder, 'specs'), folder, { recursive: true });
  const petstore = readFileSync(join(folder, 'petstore.yaml'), 'utf8');
  writeFileSync(join(folder, 'petstore.yaml'), withOperations(petstore, operations));
  return folder;
};

/** The conditions of measurements. */
interface Conditions {
  readonly rounds: number;
  readonly seconds: number;
  readonly core: number | undefined;
}

/** Fills a database as wanted, serves from it and measures. */
const measureOn = async (
  databases: Databases,
  { operations, pets, connections }: Size,
  { rounds, seconds, core }: Conditions,
): Promise<Omit<FlatPoint, 'count'>> => {
  const program = ours({
    environment: {
      SPECS_DIRECTORY: writeDocuments(operations),
      STRICT_HANDLERS: 'false',
      MOCK_MISSING_HANDLERS: 'true',
    },
  });
  const figures: FlatFigure[] = [];
  let resident = 0;
  for (const contestant of await prepareContestants([program], databases, pets)) {
    const running = await contestant.start(core);
    await untilIdle(running);
    for (const [name, scenario] of Object.entries(scenarioTitles)) {
      const [chosen] = chooseScenarios([name]);
      if (chosen === undefined) continue;
      const requests = await checkedRequests(contestant, running, chosen, pets);
      const measurement = { running, requests, connections, core };
      await measure(measurement, 1);
      const samples: Sample[] = [];
      while (samples.length < rounds) samples.push(await measure(measurement, seconds));
      resident = samples.at(-1)?.resident ?? 0;
      figures.push({
        scenario,
        perSecond: median(samples.map(({ perSecond }) => perSecond)),
        processor: median(known(samples.map(({ processor }) => processor))),
        faults: known(samples.map(({ faults }) => faults)),
      });
    }
    await running.stop();
  }
  return { figures, megabytes: resident / 2 ** 20 };
};

/** Returns requests a second and processor time for one, and memory. */
export const flatTable = ({ varied, series }: FlatComparison): Table => ({
  title: `Requests a second / processor µs for one, and megabytes of memory, by the number of ${varied}`,
  head: [
    varied,
    ...series.flatMap(({ database }) =>
      [...Object.values(scenarioTitles), 'MB'].map((column) => `${database}: ${column}`),
    ),
  ],
  rows: (series[0]?.points ?? []).map(({ count }, row) => [
    count.toLocaleString('en'),
    ...series.flatMap(({ points }) => {
      const { figures = [], megabytes = Number.NaN } = points[row] ?? {};
      const cells = figures.map(({ perSecond, processor, faults }) =>
        [shown(perSecond), '/', shown(processor), ...faults.map((fault) => `(${fault})`)].join(' '),
      );
      return [...cells, shown(megabytes)];
    }),
  ]),
});

/** Measures each thing that is varied on each kind of database. */
export const measureFlat = async (
  kinds: readonly Databases[],
  conditions: Conditions & { readonly names: readonly string[]; readonly quick: boolean },
): Promise<readonly FlatComparison[]> => {
  const { names, quick } = conditions;
  const comparisons: FlatComparison[] = [];
  const all = ['operations', 'pets', 'connections'] as const;
  for (const varied of all.filter((one) => names.length === 0 || names.includes(one))) {
    const series = kinds.map(({ title }) => ({ database: title, points: [] as FlatPoint[] }));
    for (const count of sizes[varied].slice(0, quick ? 2 : undefined)) {
      for (const [index, databases] of kinds.entries()) {
        process.stderr.write(`${databases.title}, ${count.toLocaleString('en')} ${varied}\n`);
        const point = await measureOn(databases, { ...usual, [varied]: count }, conditions);
        series[index]?.points.push({ count, ...point });
      }
    }
    comparisons.push({ varied, series });
  }
  return comparisons;
};
