/** What a second worker process brings on reads. Nothing is pinned: two servers and the load share the cores. */

import { availableParallelism } from 'node:os';
import { copyOf, removeDatabase } from '../field/database-files';
import { type OurOptions, ourFile, startOurs } from '../field/ours';
import { compare, printOutcomes, scenarioNamed, type Variant } from './slices';

const pets = 2000;
const connections = 64;
const scenarios = ['read-json-key', 'read-xml-key', 'find-by-status-short'];

/** Measures and prints a table. */
export const workersGain = async (options: OurOptions): Promise<void> => {
  const variants: Variant[] = [];
  try {
    for (const count of ['1', '2']) {
      const { path, credentials } = await ourFile(options, pets);
      const copy = copyOf(path);
      const cleanUp = (): void => removeDatabase(copy);
      const how = { ...options, environment: { ...options.environment, WORKERS: count } };
      const running = await startOurs(how, `sqlite:${copy}`, credentials, undefined, { cleanUp });
      variants.push({ title: `WORKERS=${count}`, pets, running });
    }
    const cores = availableParallelism();
    if (cores < 3) {
      process.stdout.write(
        `With ${cores} cores the load generator takes its share from the second worker.\n`,
      );
    }
    process.stdout.write(
      `${''.padEnd(36)}${variants.map(({ title }) => title.padStart(22)).join('')}   ratio\n`,
    );
    for (const name of scenarios) {
      printOutcomes(name, await compare(variants, scenarioNamed(name), connections));
    }
  } finally {
    for (const { running } of variants) await running.stop();
  }
};
