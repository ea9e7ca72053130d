/** `serve FILE…` serves documents: operations by handlers, and by mocks where there are none. */

import { Command } from 'commander';
import { exitCodes, type MakeCommand } from '../command/command';
import { stopSignal, wholeNumber } from '../command/serving';
import { type ServerSettings, serveDocuments } from './server';

interface ServeOptions extends Omit<ServerSettings, 'sources' | 'memory'> {
  readonly state?: string;
  readonly seed?: number;
}

/** Makes the command. */
export const serveCommand: MakeCommand = (context, finish) =>
  new Command()
    .argument('<document...>', 'files, folders of documents, or URLs')
    .option(
      '--port <number>',
      'the port to listen at; 0 for any free one',
      wholeNumber(65_535),
      4010,
    )
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--watch', 'take up what is saved at once')
    .option('--handlers <folder>', 'modules that export handlers by operationId')
    .option(
      '--database <url>',
      'where handlers with collections keep their data (default: in memory)',
    )
    .option('--state <file>', 'keep what mocks remember in this file')
    .option('--seed <number>', 'the same number gives the same mock data', wholeNumber(2 ** 31))
    .option('--validate-responses', 'hold every response to its document')
    .option('--allow-remote', 'read documents, and what they refer to, from other servers')
    .option('--cors', 'let pages of other origins call')
    .option('--no-docs', 'serve no documentation pages')
    .action(async (sources: string[], { state: file, seed, ...options }: ServeOptions) => {
      const memory = { ...(seed !== undefined && { seed }), ...(file !== undefined && { file }) };
      const server = await serveDocuments({ ...options, sources, memory }, context);
      // What a handler began, and failed after its request, must not end the requests of others.
      process.on('uncaughtException', (error) => {
        context.err(`A handler failed outside of a request: ${error?.stack ?? error}\n`);
      });
      await stopSignal();
      await server.stop();
      finish(exitCodes.clean);
      // What handlers keep open, such as a database, must not keep the process running.
      setTimeout(() => process.exit(), 1000).unref();
    });
