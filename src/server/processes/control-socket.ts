/** The socket by which the admin program asks the running server: each connection is one question, and its answer is one line of JSON. */

import { once } from 'node:events';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { errorMessage } from '../../base/error-message';
import type { ReloadResult } from '../../host/reload-result';

/** Reads the documents again. Rejects where nothing has changed. */
export type Reload = () => Promise<ReloadResult>;

/** The answer of the server. */
type Outcome = ReloadResult | { readonly reason: string };

const isInUse = async (path: string): Promise<boolean> => {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** Refuses a path of a file that is not a socket: the program does not remove it. */
const requireNoOther = async (path: string): Promise<void> => {
  // A file that cannot be looked at cannot be removed either; making the socket reports it.
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isSocket()) return;
  throw new Error(
    `CONTROL_SOCKET ${path} exists and is not a socket. Name another path, or move what is there`,
  );
};

const listen = async (server: Server, path: string): Promise<void> => {
  // Write permission is the permission to ask, from the moment when the file is there.
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
};

/**
 * Opens the socket at a path, and removes one that a killed process has left there.
 *
 * @returns a function that closes it, and removes the file
 * @throws Error where another server has it open, the file is not a socket, or no file can be made there
 */
export const openControlSocket = async (path: string, reload: Reload): Promise<() => void> => {
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    // A caller that goes away gets no answer.
    socket.on('error', () => undefined).resume();
    const outcome: Outcome = await reload().catch((error: unknown) => ({
      reason: errorMessage(error),
    }));
    socket.end(`${JSON.stringify(outcome)}\n`);
  });
  await requireNoOther(path);
  if (await isInUse(path)) throw new Error(`CONTROL_SOCKET ${path} is in use by another server`);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rm(path, { force: true });
    await listen(server, path);
  } catch (error) {
    throw new Error(`CONTROL_SOCKET ${path} cannot be opened: ${String(error)}`, { cause: error });
  }
  return () => server.close();
};

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === 'object' && value !== null && ('version' in value || 'reason' in value);

/**
 * Asks the server behind the socket at a path to reload. Resolves to the outcome.
 * @throws Error with the server's reason, or where none responds
 */
export const requestReload = async (path: string): Promise<ReloadResult> => {
  const socket = connect(path);
  await once(socket, 'connect').catch((cause: unknown) => {
    throw new Error(`No server listens at CONTROL_SOCKET ${path}`, { cause });
  });
  // A broken connection has no answer, either.
  const answer = await text(socket.end()).catch(() => '');
  const outcome: unknown = answer === '' ? undefined : JSON.parse(answer);
  if (!isOutcome(outcome)) throw new Error('The server ended before it answered');
  if ('reason' in outcome) throw new Error(outcome.reason);
  return outcome;
};
