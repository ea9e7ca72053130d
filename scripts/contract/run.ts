/** `npm run contract`: says what is wrong with OpenAPI documents, for people and for CI, and writes what a service begins with. */

import { runContract } from './run-contract';

runContract(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
