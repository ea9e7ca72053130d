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

/** The server and the load of a measurement. */
export interface Measurement {
  readonly running: Running;
  readonly requests: readonly WireRequest[];
  readonly connections: number;
  /** The index of the first request. */
  readonly from: number;
  /** The server's own core. */
  readonly core: number | undefined;
}

/** Reads the clocks of the system, in seconds: NaN where there is none. */
const readClocks = (pids: readonly number[], core: number | undefined) => {
  const { user, system } = process.cpuUsage();
  return {
    server: processorSeconds(pids) ?? Number.NaN,
    core: (core === undefined ? undefined : coreBusySeconds(core)) ?? Number.NaN,
    own: (user + system) / 1e6,
  };
};

const ifKnown = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** Takes one measurement of that many seconds, after a short time to settle. */
export const measure = async (measurement: Measurement, seconds: number): Promise<Sample> => {
  const { running, requests, connections, from, core } = measurement;
  const pids = processTree(running.child.pid ?? 0);
  let before = readClocks(pids, core);
  let after = before;
  const driven = await drive({
    port: running.port,
    requests,
    connections,
    from,
    onStart: () => {
      before = readClocks(pids, core);
    },
    onEnd: () => {
      after = readClocks(pids, core);
    },
    settle: 0.05 + seconds / 10,
    enough: (elapsed, responses) =>
      elapsed >= mostSeconds ||
      (elapsed >= seconds && responses >= Math.max(fewestResponses, fewestRounds * connections)),
  });
  const { responses, seconds: took, times, sent } = driven;
  const spent = after.server - before.server;
  return {
    times,
    sent,
    perSecond: took > 0 ? responses / took : 0,
    processor: ifKnown((spent * 1e6) / Math.max(1, responses)),
    resident: residentBytes(pids),
    loadBusy: took > 0 ? (after.own - before.own) / took : 0,
    foreign: ifKnown(Math.max(0, (after.core - before.core - spent) / took)),
    faults: faultsOf(driven),
  };
};
