/** Whether memory is given back: the heap after a collection, while many requests of all kinds are served. */

import { once } from 'node:events';
import { join } from 'node:path';
import { rootFolder } from '../../root-folder';
import { drive, faultsOf, type WireRequest } from '../load/drive';
import { wireRequests } from '../load/request';
import { peerBuild } from '../machine/places';
import type { Progress } from '../runs/race';
import { allScenarios } from '../scenarios/all';
import type { Running } from '../targets/contestant';
import { oursOnSqlite } from '../targets/ours';

const pets = 2000;
const connections = 64;
const parts = 10;

/** Growth that a heap of this size shows without a leak: compiled code, and caches that fill. */
const allowedMegabytes = 4;

/** The heap and what lies outside of it, in megabytes. */
const heapOf = async ({ child }: Running): Promise<number> => {
  const told = once(child, 'message');
  child.send('heap');
  const [usage]: NodeJS.MemoryUsage[] = (await told) as NodeJS.MemoryUsage[];
  return usage === undefined ? 0 : (usage.heapUsed + usage.external) / 2 ** 20;
};

/** Requests of all scenarios but the long lists, in turn. */
const requestsFor = (running: Running): WireRequest[] => {
  const setting = { credentials: running.credentials, pets };
  const rings = allScenarios
    .filter(({ mostConnections }) => mostConnections === undefined)
    .map((scenario) => scenario.steps(setting));
  const steps = Array.from({ length: 2000 }, (_, index) =>
    rings.flatMap((ring) => ring[index % ring.length] ?? []),
  ).flat();
  return wireRequests(steps, running);
};

/**
 * Sends the requests and prints the heap after each tenth.
 * @returns whether the heap stayed as it was after the first two tenths
 */
export const watchHeap = async (
  count: number,
  core: number | undefined,
  progress: Progress,
): Promise<boolean> => {
  const nodeArgs = ['--expose-gc', '--require', join(peerBuild, 'heap-probe.js')];
  const say = (line: string): void => progress.step(0, 0, line);
  const ours = await oursOnSqlite({ folder: rootFolder, nodeArgs, say }).prepare(pets);
  const running = await ours.start(core);
  try {
    const { port } = running;
    const requests = requestsFor(running);
    const most = Math.ceil(count / parts);
    const heaps: number[] = [];
    process.stdout.write('    requests  heap and external MB after collection\n');
    for (let part = 0; part < parts; part += 1) {
      const enough = (_seconds: number, responses: number): boolean => responses >= most;
      const from = part * most;
      const faults = faultsOf(await drive({ port, requests, connections, from, most, enough }));
      if (faults !== undefined) throw new Error(`Wrong responses: ${faults}`);
      heaps.push(await heapOf(running));
      const done = (from + most).toLocaleString('en').padStart(12);
      process.stdout.write(`${done}  ${heaps.at(-1)?.toFixed(2)}\n`);
    }
    const growth = (heaps.at(-1) ?? 0) - (heaps[1] ?? 0);
    const isFlat = growth <= allowedMegabytes;
    process.stdout.write(
      `From the second tenth to the last it grew by ${growth.toFixed(2)} MB: ${isFlat ? 'flat' : 'NOT FLAT'} (at most ${allowedMegabytes} MB)\n`,
    );
    return isFlat;
  } finally {
    await running.stop();
  }
};
