/**
 * `npm run generate` writes handlers/NAME/types.ts for each document; with `-- --check` it only compares and names what is
 * stale, with `-- --update` it writes only what is there already.
 */

import { describeDiagnostic } from '../../src/document/diagnostics/diagnostic';
import { foldersOf, generatedFiles, staleFiles, writeGenerated } from './generated-files';

// npm runs its scripts in the package's root.
const folders = foldersOf(process.cwd(), process.env);

const run = async (): Promise<void> => {
  const isUpdate = process.argv.includes('--update');
  const generated = await generatedFiles(folders);
  if (process.argv.includes('--check')) {
    const stale = await staleFiles(folders, generated);
    for (const file of stale) console.error(`${file} is stale: run npm run generate`);
    if (stale.length > 0) process.exitCode = 1;
  } else {
    const touched = await writeGenerated(folders, generated, isUpdate);
    for (const file of touched) console.log(`${file} written`);
  }
  // The start, which updates, reports documents itself.
  if (isUpdate) return;
  for (const problem of [...generated.errors.values()].flat()) {
    console.error(describeDiagnostic(problem));
    process.exitCode = 1;
  }
};

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
