/**
 * `npm run generate` writes handlers/NAME/types.ts for each document, and the tables of the comparison's rules; with `-- --check` it only
 * compares and names what is stale, with `-- --update` it writes only what is there already.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeDiagnostic } from '../../src/document/diagnostics/diagnostic';
import { rootFolder } from '../root-folder';
import { foldersOf, generatedFiles, staleFiles, writeGenerated } from './generated-files';
import { rulesFile, staleRulesPage } from './rules-page';

// npm runs its scripts in the package's root.
const folders = foldersOf(process.cwd(), process.env);

const run = async (): Promise<void> => {
  const isUpdate = process.argv.includes('--update');
  const generated = await generatedFiles(folders);
  const page = isUpdate ? undefined : staleRulesPage();
  const pages = page === undefined ? [] : [rulesFile];
  if (process.argv.includes('--check')) {
    const stale = [...(await staleFiles(folders, generated)), ...pages];
    for (const file of stale) console.error(`${file} is stale: run npm run generate`);
    if (stale.length > 0) process.exitCode = 1;
  } else {
    if (page !== undefined) writeFileSync(join(rootFolder, rulesFile), page);
    const touched = [...(await writeGenerated(folders, generated, isUpdate)), ...pages];
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
