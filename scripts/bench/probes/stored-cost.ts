/** What reading by id, adding and the inventory cost as the number of stored pets grows. */

import { copyOf, removeDatabase } from '../targets/database-files';
import { type OurOptions, ourFile, startOurs } from '../targets/ours';
import { compare, printOutcomes, scenarioNamed, type Variant } from './slices';

const scenarios = ['read-json-key', 'inventory', 'add-json'];
const connections = 64;

/** Starts ours on each size of database, measures and prints a table. */
export const storedCost = async (
  options: OurOptions,
  sizes: readonly number[],
  core: number | undefined,
): Promise<void> => {
  const variants: Variant[] = [];
  try {
    for (const pets of sizes) {
      const { path, credentials } = await ourFile(options, pets);
      const copy = copyOf(path);
      const cleanUp = (): void => removeDatabase(copy);
      const running = await startOurs(options, `sqlite:${copy}`, credentials, core, { cleanUp });
      variants.push({ title: `${pets.toLocaleString('en')} pets`, pets, running });
    }
    const heads = variants.map(({ title }) => title.padStart(22)).join('');
    process.stdout.write(`${''.padEnd(36)}${heads}   ratio\n`);
    for (const name of scenarios) {
      const outcomes = await compare(variants, scenarioNamed(name), connections);
      printOutcomes(name, outcomes);
    }
  } finally {
    for (const { running } of variants) await running.stop();
  }
};
