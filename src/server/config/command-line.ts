/** Reads the command line of the program. */

import { Command } from 'commander';
import type { Environment } from './settings';

const configuration = `
Environment variables configure everything else, such as PORT, HOST, DATABASE_URL, SPECS_DIRECTORY and LOG_LEVEL.
src/server/configuration.md lists them.`;

/**
 * Gives the environment, with what the command line says: `--strict` is `STRICT_DOCUMENTS=true`. Ends the process with 0 where it asks for
 * help, and with 2 where it says anything else.
 */
export const withArguments = (environment: Environment, args: readonly string[]): Environment => {
  const command = new Command('main.js')
    .description('Serves OpenAPI documents: operations, documentation and sign-in')
    .option('--strict', 'do not start while a document has errors (STRICT_DOCUMENTS=true)')
    .addHelpText('after', configuration)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse([...args], { from: 'user' });
  return command.opts()['strict'] === true
    ? { ...environment, STRICT_DOCUMENTS: 'true' }
    : environment;
};
