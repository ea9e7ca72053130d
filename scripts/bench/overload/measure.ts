/** What a server makes of more requests than it can serve: its capacity, and what it does at multiples of it. */

import { processTree, residentBytes } from '../../machine/process-usage';
import { drive, type WireRequest } from '../load/drive';
import { type Offered, offer } from '../load/offer';
import type { Running } from '../targets/contestant';

/** How it is measured. */
export interface OverloadPlan {
  readonly connections: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
}

/** What came of a load. */
export interface LoadResult extends Offered {
  /** Requests a second that were due. */
  readonly perSecond: number;
  /** Of those, answered rightly and in time; a second. */
  readonly goodput: number;
  /** Bytes that the server holds at the end. */
  readonly resident: number | undefined;
}

/** One server and the requests that it gets. */
export interface Subject {
  readonly running: Running;
  readonly requests: readonly WireRequest[];
  /** How many were sent so far. */
  sent: number;
}

/** Seconds that do not count: as long as it takes until a queue is noticed that does not end. */
const settle = 2;

/** Offers a rate. */
export const offerRate = async (
  subject: Subject,
  perSecond: number,
  { connections, seconds }: OverloadPlan,
): Promise<LoadResult> => {
  const { running, requests, sent: from } = subject;
  const { port } = running;
  const offered = await offer({ port, requests, from, perSecond, connections, settle, seconds });
  subject.sent += offered.sent;
  const resident = residentBytes(processTree(running.child.pid ?? 0));
  return { ...offered, perSecond, goodput: offered.good / seconds, resident };
};

/** Connections at which a server shows about how much it can do: enough to keep it busy, and no queue. */
const busyConnections = 64;

/** Parts of that rate at which it is looked for how much it really does. */
const parts = [0.8, 1, 1.2];

/** Requests a second: the best goodput at any rate. */
export const findCapacity = async (subject: Subject, plan: OverloadPlan): Promise<number> => {
  const { running, requests, sent: from } = subject;
  const { port } = running;
  const driven = await drive({
    ...{ port, requests, from, connections: busyConnections, settle: 1 },
    enough: (elapsed) => elapsed >= plan.seconds,
  });
  subject.sent += driven.sent;
  let best = 0;
  for (const part of parts) {
    const { goodput } = await offerRate(subject, (part * driven.responses) / driven.seconds, plan);
    best = Math.max(best, goodput);
  }
  return best;
};
