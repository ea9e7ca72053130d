/** One measurement: one contestant, one scenario, so many connections, for a moment. */

import type { RecordableHistogram } from 'node:perf_hooks';
import {
  coreBusySeconds,
  processorSeconds,
  processTree,
  residentBytes,
} from '../machine/process-usage';
import type { Running } from './contestants/launch';
import { drive, faultsOf, type WireRequest } from './load/drive';

export interface Sample {
  readonly perSecond: number;
  readonly times: RecordableHistogram;
  readonly responses: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly processor: number | undefined;
  /** Bytes that the server holds at the end. */
  readonly resident: number | undefined;
  /** The share of its own core that the load generator was busy. */
  readonly loadBusy: number;
  /** The share of the server's core that others took; undefined where the server has no core of its own. */
  readonly foreign: number | undefined;
  readonly faults: string | undefined;
  readonly sent: number;
}

/**
 * Fewer responses than that make no figure: a slow contestant gets more time, up to a limit. Long responses to many connections are
 * ready at nearly the same time, again and again: only several such rounds tell how many there are in a second.
 */
const fewestResponses = 30;
const fewestRounds = 3;
const mostSeconds = 20;

/** Readings of the clocks of the system, in seconds. */
interface Clocks {
  readonly server: number | undefined;
  readonly core: number | undefined;
  readonly own: number;
}

/** Takes the difference of the clocks over the time that counts. */
const stopwatch = (pids: readonly number[], core: number | undefined) => {
  const read = (): Clocks => {
    const { user, system } = process.cpuUsage();
    return {
      server: processorSeconds(pids),
      core: core === undefined ? undefined : coreBusySeconds(core),
      own: (user + system) / 1e6,
    };
  };
  let before = read();
  let after = before;
  const passed = (clock: keyof Clocks): number | undefined => {
    const [from, to] = [before[clock], after[clock]];
    return from === undefined || to === undefined ? undefined : to - from;
  };
  return {
    onStart: () => {
      before = read();
    },
    onEnd: () => {
      after = read();
    },
    passed,
  };
};

/** The server and the load of a measurement. */
export interface Measurement {
  readonly running: Running;
  readonly requests: readonly WireRequest[];
  readonly connections: number;
  /** The index of the first request. */
  readonly from?: number;
  /** The server's own core. */
  readonly core?: number | undefined;
}

/** Returns the share of the time in which the core was busy with others than the server. */
const foreignShare = (
  core: number | undefined,
  server: number | undefined,
  seconds: number,
): number | undefined =>
  core === undefined || server === undefined || seconds === 0
    ? undefined
    : Math.max(0, (core - server) / seconds);

/** Takes one measurement of that many seconds, after a short time to settle. */
export const measure = async (measurement: Measurement, seconds: number): Promise<Sample> => {
  const { running, requests, connections, from = 0, core } = measurement;
  const pids = processTree(running.child.pid ?? 0);
  const { onStart, onEnd, passed } = stopwatch(pids, core);
  const driven = await drive({
    port: running.port,
    requests,
    connections,
    from,
    onStart,
    onEnd,
    settle: 0.05 + seconds / 10,
    enough: (elapsed, responses) =>
      elapsed >= mostSeconds ||
      (elapsed >= seconds && responses >= Math.max(fewestResponses, fewestRounds * connections)),
  });
  const { responses, seconds: took, times, sent } = driven;
  const spent = passed('server');
  return {
    times,
    responses,
    sent,
    perSecond: took > 0 ? responses / took : 0,
    processor: spent === undefined ? undefined : (spent * 1e6) / Math.max(1, responses),
    resident: residentBytes(pids),
    loadBusy: took > 0 ? (passed('own') ?? 0) / took : 0,
    foreign: foreignShare(passed('core'), spent, took),
    faults: faultsOf(driven),
  };
};
