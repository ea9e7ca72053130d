/** Bounds what bodies cost together, however many requests they belong to: the bytes held at one time, and the turns they take. */

import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { HttpError } from './http-error';

/** Counts what the bodies of requests hold, from their first bytes until they have been answered. */
export interface BodyMemory {
  /** Throws a 503 with Retry-After where there is no room for so many bytes; counts nothing. */
  requireRoom(bytes: number): void;
  /** Counts the bytes for the request; throws as `requireRoom` does. */
  hold(request: IncomingMessage, bytes: number): void;
  /** Forgets what the request held. */
  release(request: IncomingMessage): void;
  /**
   * To be awaited before a large body is read into a value. Each has a turn of the event loop for itself, so that a short request
   * waits for one of them and not for all.
   */
  turn(): Promise<void>;
}

const held = Symbol('bytes that a request holds');

interface HoldingRequest extends IncomingMessage {
  [held]?: number;
}

/** Bytes of a large body: to read one may take some milliseconds. */
export const largeBody = 32 * 1024;

/**
 * Makes a bound.
 * @param most bytes of all bodies together
 */
export const bodyMemory = (most: number): BodyMemory => {
  let all = 0;
  let lastTurn: Promise<void> = Promise.resolve();
  const requireRoom = (bytes: number): void => {
    if (all + bytes <= most) return;
    const message = 'Too many bodies are being received. Try again in a moment.';
    throw new HttpError(503, 'unavailable', message, { headers: { 'Retry-After': '1' } });
  };
  return {
    requireRoom,
    hold(request: HoldingRequest, bytes) {
      requireRoom(bytes);
      all += bytes;
      request[held] = (request[held] ?? 0) + bytes;
    },
    release(request: HoldingRequest) {
      all -= request[held] ?? 0;
      request[held] = 0;
    },
    turn() {
      lastTurn = lastTurn.then(() => setImmediate());
      return lastTurn;
    },
  };
};
