/**
 * Offers load at a constant rate, whether or not the responses come (open loop): a request is due at its time, and its waiting is
 * counted from then on. A server that slows down does not slow the load down, so that nothing is hidden (coordinated omission).
 */

import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { type Connection, lost, openConnection } from './connection';
import type { WireRequest } from './drive';

/** The load that is offered, and its length. */
export interface OfferedLoad {
  readonly port: number;
  /** Sent in turn, again and again. */
  readonly requests: readonly WireRequest[];
  /** The index of the first request. */
  readonly from: number;
  /** Requests a second that are due. */
  readonly perSecond: number;
  /** Each carries one request at a time; one that is due while all are in use is not sent. */
  readonly connections: number;
  /** Seconds at the beginning that do not count. */
  readonly settle: number;
  readonly seconds: number;
}

/** The outcomes of the requests that were due in the time that counts. */
export interface Offered {
  due: number;
  /** Answered with the right status within a second from the time when they were due. */
  good: number;
  /** Answered rightly, and later. */
  late: number;
  /** Answered by 503. */
  refused: number;
  /** Another status, or none. */
  wrong: number;
  /** All connections were in use. */
  unsent: number;
  /** Of right answers, from the time when they were due; microseconds. */
  readonly times: RecordableHistogram;
  /** The number of requests that were sent, also before the time that counts. */
  sent: number;
}

/** Milliseconds after which a response is late. */
export const patience = 1000;

/** Between two looks at what is due, in milliseconds. */
const tick = 1;

const nothingYet = (): Offered => ({
  due: 0,
  good: 0,
  late: 0,
  refused: 0,
  wrong: 0,
  unsent: 0,
  sent: 0,
  times: createHistogram({ highest: 2 ** 31, figures: 3 }),
});

const account = (outcome: Offered, status: number, wanted: number, waited: number): void => {
  if (status === wanted) {
    outcome.times.record(Math.max(1, Math.round(waited * 1000)));
    if (waited <= patience) outcome.good += 1;
    else outcome.late += 1;
  } else if (status === 503) outcome.refused += 1;
  else outcome.wrong += 1;
};

/** One of the connections, and the request that it carries. */
interface Lane {
  readonly connection: Connection;
  wanted: number;
  dueAt: number;
  counts: boolean;
}

/** Offers the load; resolves when the last request that counts has its answer, or is late. */
export const offer = (load: OfferedLoad): Promise<Offered> =>
  new Promise((resolve) => {
    const { port, requests, from, perSecond, connections, settle, seconds } = load;
    const outcome = nothingYet();
    const lanes: Lane[] = [];
    const idle: Lane[] = [];
    let open = 0;
    let begin: number | undefined;

    /** One after the other, since each stands only when its request has been answered. */
    const openNext = (): void => {
      if (lanes.length < connections) openLane();
      else start();
    };

    const openLane = (): void => {
      const connection = openConnection(port, (status) => {
        if (lane.counts) {
          open -= 1;
          account(outcome, status, lane.wanted, performance.now() - lane.dueAt);
        }
        idle.push(lane);
        if (begin === undefined) openNext();
      });
      const lane: Lane = { connection, wanted: lost, dueAt: 0, counts: false };
      lanes.push(lane);
      // So it stands before anything is due.
      sendOn(lane, 0, false);
    };

    const sendOn = (lane: Lane, dueAt: number, counts: boolean): void => {
      const request = requests[(from + outcome.sent) % requests.length];
      if (request === undefined) throw new Error('No request is given');
      outcome.sent += 1;
      Object.assign(lane, { wanted: request.status, dueAt, counts });
      if (counts) open += 1;
      lane.connection.send(request.bytes);
    };

    const all = Math.round((settle + seconds) * perSecond);
    const uncounted = Math.round(settle * perSecond);
    let next = 0;

    const sendOrLeave = (counts: boolean): void => {
      const lane = idle.pop();
      if (lane !== undefined) sendOn(lane, (begin ?? 0) + (next * 1000) / perSecond, counts);
      else if (counts) outcome.unsent += 1;
    };

    const fallDue = (): void => {
      const counts = next >= uncounted;
      if (counts) outcome.due += 1;
      sendOrLeave(counts);
      next += 1;
    };

    const finish = (): void => {
      outcome.late += open;
      for (const { connection } of lanes) connection.destroy();
      resolve(outcome);
    };

    const waitForRest = (until: number): void => {
      if (open === 0 || performance.now() > until) finish();
      else setTimeout(waitForRest, tick, until);
    };

    const look = (): void => {
      const passed = performance.now() - (begin ?? 0);
      const due = Math.min(all, Math.floor((passed * perSecond) / 1000));
      while (next < due) fallDue();
      if (next < all) setTimeout(look, tick);
      else waitForRest(performance.now() + patience);
    };
    const start = (): void => {
      begin = performance.now();
      look();
    };
    openLane();
  });
