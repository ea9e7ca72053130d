/** The program: reads the environment, serves, stops on signals. */

import { pino } from 'pino';
import { readConfig } from './config';
import { describeProblem } from './openapi/problem';
import { type RunningServer, startServer } from './server';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** What a person who starts the program wants to know. */
const announce = ({ app, origin, demo }: RunningServer): void => {
  app.problems.map(describeProblem).forEach(print);
  for (const { name, basePath, operations } of app.documents) {
    print(`${name}: ${origin}${basePath} (${operations.length} operations)`);
  }
  if (demo !== undefined) {
    print(`Demo login: ${demo.username} / ${demo.password}   API key: ${demo.apiKey}`);
  }
};

const stopOnSignals = (server: RunningServer): void => {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await server.stop();
    process.exitCode = 0;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
};

/** The environment, with what the command line says: `--strict` is `STRICT_DOCUMENTS=true`. */
const environmentOf = (args: readonly string[]): NodeJS.ProcessEnv => {
  const unknown = args.find((arg) => arg !== '--strict');
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}; there is --strict`);
  return args.length === 0 ? process.env : { ...process.env, STRICT_DOCUMENTS: 'true' };
};

const main = async (): Promise<void> => {
  try {
    const config = readConfig(environmentOf(process.argv.slice(2)));
    const log = pino({ level: config.logLevel });
    const server = await startServer(config, { log, processMetrics: true });
    stopOnSignals(server);
    announce(server);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
};

void main();
