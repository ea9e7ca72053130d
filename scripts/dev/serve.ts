/** Serves for those who write documents and handlers: what they save is served at once, by the same process. */

import { errorMessage } from '../../src/base/error-message';
import { handlerLoader } from '../../src/host/module-loader';
import { announcementOf } from '../../src/server/announcement';
import { readConfig } from '../../src/server/config/config';
import { withArguments } from '../../src/server/config/settings';
import { openLog, painter } from '../../src/server/observability/log';
import { startServer } from '../../src/server/server';
import { handlerCheck } from './check-handlers';
import { followEdits, readEdited } from './follow-edits';

const { stdout } = process;
const paint = painter(stdout.isTTY && stdout.hasColors());

const print = (lines: readonly string[], isFault = false): void => {
  const [first = '', ...rest] = lines;
  const heading = paint(isFault ? 'red' : 'green', first);
  stdout.write(`${[heading, ...rest].join('\n')}\n`);
};

const serve = async (): Promise<void> => {
  const config = readConfig(withArguments(process.env, process.argv.slice(2)));
  const folder = config.handlersDirectory;
  const handlers = handlerLoader(folder);
  const check = handlerCheck(folder, (line) => stdout.write(`${line}\n`));
  process.on('exit', check.close);
  const atStart = readEdited(config);
  const log = openLog(config.logLevel, !config.production);
  for (const sentence of config.misspelt) log.warn(sentence);
  const metrics = 'process';
  const server = await startServer(config, { log, metrics, loadHandlers: handlers.load });
  const edits = followEdits({ server, config, handlers, atStart, accepted: check.start, print });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    edits.close();
    check.close();
    await server.stop();
    // The channel to the process that started this one would keep it running.
    if (process.connected) process.disconnect();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  // The process that started this one has ended.
  process.on('disconnect', stop);
  for (const line of announcementOf(server)) stdout.write(`${line}\n`);
  check.start(server.app);
};

serve().catch((error: unknown) => {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
});
