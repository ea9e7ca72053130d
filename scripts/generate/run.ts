/** `npm run generate` writes handlers/NAME/types.ts from specs/NAME.yaml; with `-- --check` it only compares and names what is stale. */

import { staleFiles, writeGenerated } from './generated-files';

// npm runs its scripts in the package's root.
const root = process.cwd();

const generate = async (): Promise<void> => {
  if (process.argv.includes('--check')) {
    const stale = await staleFiles(root);
    for (const file of stale) console.error(`${file} is stale: run npm run generate`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    for (const file of await writeGenerated(root)) console.log(`${file} written`);
  }
};

generate().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
