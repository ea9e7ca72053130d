/** The common parts of commands that serve: the port that they listen at, the signal to stop, and the line about a request. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../base/error-message';
import { printable } from '../../base/text/printable';
import { listen } from '../../http/listening';
import { splitTarget } from '../../http/request';
import { exitCodes, type textPainter } from './command';

/** Makes the reader of an option that is a whole number. */
export const wholeNumberOption =
  (most: number, least = 0) =>
  (text: string): number => {
    if (/^\d+$/.test(text) && Number(text) <= most && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

/** Makes the option that names the port to listen at. */
export const portOption = (usual: number): Option =>
  new Option('--port <number>', 'the port to listen at; 0 for any free one')
    .argParser(wholeNumberOption(65_535))
    .default(usual);

/** Reads an option that is the URL of a server. */
export const upstreamUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:\/\/[^/@]+\/[^?#]*$/.test(url.href)) return url;
  throw new InvalidArgumentError(
    'It must be a URL such as http://127.0.0.1:8080/v1, without a user name and a query.',
  );
};

/** Begins to listen. Resolves to the origin; rejects with an error in one sentence where the port cannot be used. */
export const openPort = async (server: Server, port: number, host: string): Promise<string> => {
  const origin = await listen(server, port, host).catch((error: unknown) => {
    const sentence =
      Reflect.get(Object(error), 'code') === 'EADDRINUSE'
        ? `Port ${port} of ${host} is in use. Choose another by --port, or --port 0 for a free one.`
        : `The server cannot listen at ${host}, port ${port}: ${errorMessage(error)}.`;
    throw new Error(sentence, { cause: error });
  });
  // An address that stands for all of this machine is none that can be called.
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
};

/** Seconds that requests under way have to end when the command stops. */
export const drainSeconds = 60;

/** The process that started this one; another one takes its place when it ends. */
const parent = process.ppid;

/** Resolves at the first signal to stop, or when the shell in which npx runs the program ends; the second signal ends the process. */
export const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      clearInterval(watch);
      if (isStopping) process.exit(exitCodes.faulty);
      isStopping = true;
      resolve();
    };
    // npm passes a signal to the shell alone, which ends without passing it on.
    const isBelowNpx = process.env['npm_lifecycle_event'] === 'npx';
    const watch = setInterval(() => isBelowNpx && process.ppid !== parent && stop(), 250).unref();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });

/** Returns the status that the client got; 499 where it has closed the connection before. */
export const sentStatus = ({ writableEnded, statusCode }: ServerResponse): number =>
  writableEnded ? statusCode : 499;

/**
 * Writes the line about a request that ended; queries and headers carry secrets.
 * @param name of the operation, or what stands for it
 */
export const requestLine = (
  { method = '', url = '/' }: IncomingMessage,
  response: ServerResponse,
  milliseconds: number,
  name: string,
  paint: ReturnType<typeof textPainter>,
): string => {
  const status = sentStatus(response);
  const refused = status >= 400 ? 'yellow' : 'green';
  return [
    paint('dim', new Date().toTimeString().slice(0, 8)),
    method.padEnd(6),
    printable(splitTarget(url).path),
    paint(status >= 500 ? 'red' : refused, String(status)),
    paint('dim', `${milliseconds.toFixed(1)} ms`),
    paint('cyan', name),
  ].join(' ');
};
