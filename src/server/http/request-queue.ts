/**
 * The queue of requests that have been read. It serves requests that arrive together one right after the other, since between two of
 * them the processor would replace our code in its caches by the kernel's and node's; and it sheds load (CoDel): when requests have
 * waited too long, it answers them with 503, so that those behind them are served in time.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defaultErrors } from '../../engine';
import { unavailable } from '../../http/http-error';
import { bodyAnnounced, originForm, splitTarget } from '../../http/request';
import { send } from '../../http/send';
import { queueLoad, type Watch } from '../../storage/connections/load';
import type { Layer } from './layer';

/**
 * Begins to watch a queue by CoDel (controlled delay: K. Nichols and V. Jacobson, RFC 8289). A queue may be long for a moment:
 * bursts are usual. It stands once every item dequeued within a whole interval has waited longer than the target. Then items
 * that have waited longer are refused, so that later ones are served in time.
 *
 * RFC 8289 drops one packet at a time, a bit more often each time, since senders slow down when they miss one. Callers do not,
 * so that all late items are refused, as B. Maurer describes it ("Fail at Scale", ACM Queue 13(8), 2015).
 *
 * @param clock - milliseconds that never run backwards
 * @param bounds - milliseconds: the longest wait in a standing queue, and the time after which a queue of longer waits stands
 */
export const controlledDelay = (
  clock: () => number,
  // Callers that have to wait for a second give up or ask again; after a quarter of it a response is still in time. A shorter
  // target would refuse usual load: of 2,000 connections with a request of 0.1 ms each, the last waits for 0.2 s.
  { target, interval } = { target: 250, interval: 1000 },
) => {
  /** The time since when all delays exceed the target: an interval before first_above_time of RFC 8289 section 5.3. */
  let aboveSince: number | undefined;
  return {
    /** Records the queueing delay of a dequeued item; 0 for an empty queue. */
    observe(waited: number): void {
      if (waited <= target) aboveSince = undefined;
      else aboveSince ??= clock();
    },
    /** Tells whether the queue stands, and an item queued at that time has waited for too long. */
    isLate(since: number): boolean {
      if (aboveSince === undefined) return false;
      const now = clock();
      return now - aboveSince >= interval && now - since > target;
    },
  };
};

/** The most requests that are begun together: more would fill the caches, too. */
const largestBatch = 64;

/**
 * Milliseconds of a turn of the event loop, short beside the longest wait. After a longer turn, fewer requests are begun in the next
 * one, and the rest waits here, where its age is known. Otherwise it could not be refused in time, and new connections would wait: one
 * is accepted in each turn (libuv 1.46).
 */
const longTurn = 50;

const overloaded = unavailable('The server is overloaded. Try again in a moment.', 1);

const settled = Promise.resolve();

/**
 * Makes the queue. Requests are served in the order of their arrival, at the end of the turn of the event loop in which they arrived,
 * or when they are many. By then a short body has come with its headers, and need not be waited for. The first request of a turn is
 * served when it has been read, where it has no body: it may be the only one. It is served from a promise, since V8 spends less on an
 * error that is thrown there.
 *
 * The layer may be applied again: requests that wait then go to the listener that was given last.
 */
export const requestQueue = ({
  probePaths = new Set(),
  onShed = () => undefined,
  watch,
  clock = () => performance.now(),
  idleTime = () => performance.nodeTiming.idleTime,
}: {
  /** The paths of probes: they wait for nothing, and are never refused. */
  readonly probePaths?: ReadonlySet<string>;
  readonly onShed?: () => void;
  readonly watch?: Watch;
  /** Gives milliseconds that never run backwards. */
  readonly clock?: (() => number) | undefined;
  /** Gives the milliseconds in which the event loop had nothing to do. */
  readonly idleTime?: () => number;
} = {}): Layer => {
  const delay = controlledDelay(clock);
  const writeError = defaultErrors();
  const isProbe = ({ url = '/' }: IncomingMessage): boolean =>
    probePaths.has(splitTarget(originForm(url)).path);
  let serve: RequestListener;
  type Waiting = Readonly<{ request: IncomingMessage; response: ServerResponse; since: number }>;
  const waiting: Waiting[] = [];
  watch?.('requests', () => queueLoad(waiting, clock()));
  let isFirst = true;
  let turnBegan = 0;
  /** Busy milliseconds until the end of the last turn. */
  let busyBefore = clock() - idleTime();
  let batch = largestBatch;

  const refuse: RequestListener = (request, response) => {
    onShed();
    void send(request, response, writeError(overloaded, request.headers.accept));
  };

  const shedLate = (): void => {
    const [oldest] = waiting;
    if (oldest === undefined) return;
    delay.observe(clock() - oldest.since);
    const inTime = waiting.findIndex(({ since }) => !delay.isLate(since));
    const late = waiting.splice(0, inTime < 0 ? waiting.length : inTime);
    for (const { request, response } of late) {
      if (isProbe(request)) serve(request, response);
      else refuse(request, response);
    }
  };

  const serveBatch = (): void => {
    if (waiting.length > batch) shedLate();
    const taken = waiting.splice(0, batch);
    if (waiting.length === 0) delay.observe(0);
    for (const { request, response } of taken) serve(request, response);
  };

  const serveSoon = (): void => {
    void settled.then(serveBatch);
  };

  const beginTurn = (): void => {
    isFirst = false;
    turnBegan = clock();
    setImmediate(endTurn);
  };

  const endTurn = (): void => {
    const busy = clock() - idleTime();
    const isLong = busy - busyBefore > longTurn;
    busyBefore = busy;
    batch = isLong ? Math.max(1, batch >> 1) : Math.min(largestBatch, batch * 2);
    // The rest waits for a turn of its own, before which the event loop looks for more.
    if (waiting.length > batch) beginTurn();
    else isFirst = true;
    serveSoon();
  };

  const add: RequestListener = (request, response) => {
    // Probes are told apart under load alone: that takes time.
    if (batch < largestBatch && isProbe(request)) {
      serve(request, response);
      return;
    }
    waiting.push({ request, response, since: clock() });
    const startsTurn = isFirst;
    if (startsTurn) beginTurn();
    // After a long turn none is begun before the next one ends.
    const isFull =
      batch === largestBatch &&
      waiting.length % largestBatch === 0 &&
      clock() - turnBegan < longTurn;
    if ((startsTurn && !bodyAnnounced(request)) || isFull) serveSoon();
  };

  return (next) => {
    serve = next;
    return add;
  };
};
