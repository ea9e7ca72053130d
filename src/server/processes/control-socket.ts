/** The socket by which the admin program asks the running server: each connection is one question, and its answer is one line of JSON. */

import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';

/** Reads the documents again; resolves to the version that is served then. */
export type Reload = () => Promise<string>;

/** What came of it. */
type Outcome = { readonly version: string } | { readonly reason: string };

const outcomeOf = async (reload: Reload): Promise<Outcome> => {
  try {
    return { version: await reload() };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
};

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

const listen = async (server: Server, path: string): Promise<void> => {
  server.listen(path);
  await once(server, 'listening');
  // Whoever may write to it may ask.
  await chmod(path, 0o600);
};

/**
 * Opens the socket at a path. What a process that was killed has left there is removed.
 * @returns what closes it, and removes the file
 * @throws Error where another server has it open, or no file can be made there
 */
export const openControlSocket = async (path: string, reload: Reload): Promise<() => void> => {
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    // Who asks and goes away is not there to be told.
    socket.on('error', () => undefined).resume();
    socket.end(`${JSON.stringify(await outcomeOf(reload))}\n`);
  });
  if (await isInUse(path)) throw new Error(`CONTROL_SOCKET ${path} is in use by another server`);
  try {
    await mkdir(dirname(path), { recursive: true });
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
 * Asks the server behind the socket at a path to reload. Resolves to the version that it serves then.
 * @throws Error with the server's reason, or where none responds
 */
export const requestReload = async (path: string): Promise<string> => {
  const socket = connect(path);
  await once(socket, 'connect').catch((cause: unknown) => {
    throw new Error(`No server listens at CONTROL_SOCKET ${path}`, { cause });
  });
  // A connection that is broken off has no answer, either.
  const answer = await text(socket.end()).catch(() => '');
  const outcome: unknown = answer === '' ? undefined : JSON.parse(answer);
  if (!isOutcome(outcome)) throw new Error('The server ended before it answered');
  if ('reason' in outcome) throw new Error(outcome.reason);
  return outcome.version;
};
