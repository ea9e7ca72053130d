/** One measurement: one contestant, one scenario, so many connections, for a moment. */

import type { Running } from '../field/contestant';
import { drive, faultsOf, type WireRequest } from '../load/drive';
import type { Histogram } from '../load/histogram';
import { processorSeconds, processTree, residentBytes } from '../machine/processes';

export interface Slice {
  readonly perSecond: number;
  readonly times: Histogram;
  readonly answers: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly processor: number | undefined;
  /** Bytes that the server holds at the end. */
  readonly resident: number | undefined;
  /** The share of its own core that the load generator was busy. */
  readonly loadBusy: number;
  readonly faults: string | undefined;
  readonly sent: number;
}

/** Fewer answers than that make no figure: a slow contestant gets more time, up to a limit. */
const fewestAnswers = 30;
const mostPatience = 5;

/** Takes one measurement of that many seconds, after a short time to settle. */
export const measure = async (
  running: Running,
  requests: readonly WireRequest[],
  connections: number,
  seconds: number,
  from = 0,
): Promise<Slice> => {
  const pids = processTree(running.pid);
  let before = processorSeconds(pids);
  let after = before;
  let own = process.cpuUsage();
  let busy = 0;
  const driven = await drive({
    port: running.port,
    requests,
    connections,
    from,
    settle: 0.05 + seconds / 10,
    enough: (elapsed, answers) =>
      elapsed >= seconds && (answers >= fewestAnswers || elapsed >= seconds * mostPatience),
    onStart() {
      before = processorSeconds(pids);
      own = process.cpuUsage();
    },
    onEnd() {
      after = processorSeconds(pids);
      const { user, system } = process.cpuUsage(own);
      busy = (user + system) / 1e6;
    },
  });
  const { answers, seconds: took, times, sent } = driven;
  const spent = before === undefined || after === undefined ? undefined : after - before;
  return {
    perSecond: took > 0 ? answers / took : 0,
    times,
    answers,
    processor: spent === undefined ? undefined : (spent * 1e6) / Math.max(1, answers),
    resident: residentBytes(pids),
    loadBusy: took > 0 ? busy / took : 0,
    faults: faultsOf(driven),
    sent,
  };
};
