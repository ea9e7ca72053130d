/** Whether memory is given back: the heap after a collection, while many requests of all kinds are answered. */

import { once } from 'node:events';
import { join } from 'node:path';
import { copyOf, removeDatabase } from '../targets/database-files';
import { type OurOptions, ourFile, startOurs } from '../targets/ours';
import { drive, faultsOf, type WireRequest } from '../load/drive';
import { wireRequests } from '../load/request';
import { peerBuild } from '../machine/places';
import { allScenarios } from '../scenarios/all';

const pets = 2000;
const connections = 64;
const parts = 10;

/** Growth that a heap of this size shows without a leak: compiled code, and caches that fill. */
const allowedMegabytes = 4;

type Ours = Awaited<ReturnType<typeof startOurs>>;

/** The heap and what lies outside of it, in megabytes. */
const heapOf = async ({ child }: Ours): Promise<number> => {
  const answer = once(child, 'message');
  child.send('heap');
  const [usage]: NodeJS.MemoryUsage[] = (await answer) as NodeJS.MemoryUsage[];
  return usage === undefined ? 0 : (usage.heapUsed + usage.external) / 2 ** 20;
};

/** Requests of all scenarios but the long lists, in turn. */
const requestsFor = (ours: Ours): WireRequest[] => {
  const setting = { credentials: ours.credentials, pets };
  const rings = allScenarios
    .filter(({ mostConnections }) => mostConnections === undefined)
    .map((scenario) => scenario.steps(setting));
  const steps = Array.from({ length: 2000 }, (_, index) =>
    rings.flatMap((ring) => ring[index % ring.length] ?? []),
  ).flat();
  return wireRequests(steps, ours);
};

const sendPart = async (
  ours: Ours,
  requests: readonly WireRequest[],
  from: number,
  most: number,
) => {
  const enough = (_seconds: number, answers: number): boolean => answers >= most;
  const driven = await drive({ port: ours.port, requests, connections, from, most, enough });
  const faults = faultsOf(driven);
  if (faults !== undefined) throw new Error(`It was answered wrongly: ${faults}`);
};

/**
 * Sends the requests and prints the heap after each tenth.
 * @returns whether the heap stayed as it was after the first two tenths
 */
export const watchHeap = async (
  options: OurOptions,
  count: number,
  core: number | undefined,
): Promise<boolean> => {
  const { path, credentials } = await ourFile(options, pets);
  const copy = copyOf(path);
  const nodeArgs = ['--expose-gc', '--require', join(peerBuild, 'heap-probe.js')];
  const cleanUp = (): void => removeDatabase(copy);
  const how = { ...options, nodeArgs };
  const ours = await startOurs(how, `sqlite:${copy}`, credentials, core, {
    cleanUp,
    messages: true,
  });
  try {
    const requests = requestsFor(ours);
    const heaps: number[] = [];
    process.stdout.write('    requests  heap and external MB after collection\n');
    for (let part = 0; part < parts; part += 1) {
      const size = Math.ceil(count / parts);
      await sendPart(ours, requests, part * size, size);
      heaps.push(await heapOf(ours));
      const done = ((part + 1) * size).toLocaleString('en').padStart(12);
      process.stdout.write(`${done}  ${heaps.at(-1)?.toFixed(2)}\n`);
    }
    const growth = (heaps.at(-1) ?? 0) - (heaps[1] ?? 0);
    const flat = growth <= allowedMegabytes;
    process.stdout.write(
      `From the second tenth to the last it grew by ${growth.toFixed(2)} MB: ${flat ? 'flat' : 'NOT FLAT'} (at most ${allowedMegabytes} MB)\n`,
    );
    return flat;
  } finally {
    await ours.stop();
  }
};
