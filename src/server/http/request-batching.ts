/**
 * Serves requests that arrive together one right after the other. Between two of them the processor would forget our code over
 * the kernel's and node's: with 64 callers a read takes 36 us when each is served as it is read, 23 when all are read first. By
 * then most bodies have come, too.
 */

import type { RequestListener } from 'node:http';
import { bodyAnnounced } from '../../engine';
import type { Admission } from './admission';
import { requestQueue } from './request-queue';

/** What was read of more would fill the caches, too: with 512 callers a refused body takes 66 us without a bound, 48 with it. */
const mostTogether = 64;

/**
 * Milliseconds: short beside what one may wait for. When a turn of the event loop takes longer, fewer requests are begun in the next
 * one, and the others wait where it is known for how long. Only so they can be refused in time, and new connections be accepted: one
 * in each turn (libuv 1.46).
 */
const longTurn = 50;

const settled = Promise.resolve();

/**
 * Makes a listener that serves requests at the end of the turn of the event loop in which they arrived, or when there are many, in
 * the order of their arrival. By then a short body has come with its headers, and need not be waited for. The first of a turn is
 * served when it has been read, where it has no body: it may be the only one. It does so as one that goes on after a promise: V8
 * makes less of an error that is thrown there, a tenth of what refusing takes.
 *
 * Where a turn takes long, requests wait for later turns, and those go first that the admission says.
 *
 * @param serve - throws nothing
 * @param admission - without one no request goes before another, and none is refused
 * @param clock - milliseconds that never run backwards
 * @param idleTime - for how many of them the event loop had nothing to do
 */
export const batchRequests = (
  serve: RequestListener,
  admission?: Admission,
  clock: () => number = () => performance.now(),
  idleTime: () => number = () => performance.nodeTiming.idleTime,
): RequestListener => {
  const queue = requestQueue(admission, clock);
  let isFirst = true;
  let turnBegan = 0;
  /** Busy milliseconds until the end of the last turn. */
  let busyBefore = clock() - idleTime();
  /** How many are begun together. */
  let together = mostTogether;

  const serveArrived = (): void => {
    for (const { request, response } of queue.take(together)) serve(request, response);
  };

  const serveSoon = (): void => {
    void settled.then(serveArrived);
  };

  const beginTurn = (): void => {
    isFirst = false;
    turnBegan = clock();
    setImmediate(endTurn);
  };

  /** A turn is all that is done between two looks for requests: also for those that were begun before. */
  const adjust = (): void => {
    const busy = clock() - idleTime();
    const isLong = busy - busyBefore > longTurn;
    busyBefore = busy;
    together = isLong ? Math.max(1, together >> 1) : Math.min(mostTogether, together * 2);
  };

  /** What is left waits for a turn of its own, before which the event loop looks for more. */
  const endTurn = (): void => {
    adjust();
    if (queue.size() > together) beginTurn();
    else isFirst = true;
    serveSoon();
  };

  return (request, response) => {
    queue.add(request, response);
    const startsTurn = isFirst;
    if (startsTurn) beginTurn();
    // After a long turn none is begun before the next one ends.
    const isFull =
      together === mostTogether &&
      queue.size() % mostTogether === 0 &&
      clock() - turnBegan < longTurn;
    if ((startsTurn && !bodyAnnounced(request)) || isFull) serveSoon();
  };
};
