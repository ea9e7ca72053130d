/**
 * `npm run build` brings generated types up to date and builds the program into `dist`; where something does not compile, it
 * says so, and the build that is there stays. With `--start`, before `npm start`, that is so only where handlers have to fit.
 */

import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../src/base/error-message';
import { readBuildRecord } from '../../src/host/build-record';
import { compilerLines } from '../../src/host/compiler-report';
import { readConfig } from '../../src/server/config/config';
import { foldersOf, generatedFiles, writeGenerated } from '../generate/generated-files';
import { build } from './build';
import { buildFolder, isFresh } from './is-fresh';

// npm runs its scripts in the package's root.
const root = process.cwd();
const environment = process.env;

const run = async (): Promise<void> => {
  const isStrict = !process.argv.includes('--start') || readConfig(environment).strictHandlers;
  const folders = foldersOf(root, environment);
  const generated = await generatedFiles(folders);
  for (const file of await writeGenerated(folders, generated, true)) console.log(`${file} written`);
  const files = generated.documents.flatMap((document) => [...document.files]);
  const elsewhere = files.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri));
  const errors = isFresh(root, environment)
    ? (readBuildRecord(buildFolder)?.errors ?? [])
    : await build({ root, environment, elsewhere, isStrict });
  // Otherwise the server reports them.
  if (!isStrict || errors.length === 0) return;
  for (const line of compilerLines(errors, generated.documents, [])) console.error(line);
  console.error(`The program does not compile; ${buildFolder} stays as it is.`);
  process.exitCode = 1;
};

run().catch((error: unknown) => {
  console.error(errorMessage(error));
  process.exitCode = 1;
});
