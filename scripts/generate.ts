/** `npm run generate` writes src/generated from specs; with `-- --check` it only compares and names what is stale. */

import { staleFiles, writeGenerated } from './generated-files';

// npm runs its scripts in the package's root.
const root = process.cwd();

if (process.argv.includes('--check')) {
  const stale = staleFiles(root);
  for (const file of stale) console.error(`${file} is stale: run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const file of writeGenerated(root)) console.log(`${file} written`);
}
