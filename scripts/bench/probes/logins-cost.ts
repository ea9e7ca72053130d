/** What many logins at once cost others: the times of reads without them and beside them. */

import { setTimeout as delay } from 'node:timers/promises';
import { copyOf, removeDatabase } from '../targets/database-files';
import { type OurOptions, ourFile, startOurs } from '../targets/ours';
import { percentile } from '../load/histogram';
import { ask, type Target, wireRequests } from '../load/request';
import { measure, type Slice } from '../runs/sample';
import { get } from '../scenarios/requests';
import { scenarioNamed } from './slices';

const pets = 2000;
const atOnce = 200;
const readers = 16;
const seconds = 5;

/** The account is nobody's, so that none is locked out; checking takes as long as for one that exists. */
const login = (index: number) =>
  get(`/petstore/user/login?username=nobody-${index}&password=a%20wrong%20password`, {});

/** Counts answers by status. */
type Counts = Map<number, number>;

/** Keeps `atOnce` logins under way until it is told to stop. Who is sent away comes again after a moment, as people do. */
const keepLoggingIn = (target: Target) => {
  const counts: Counts = new Map();
  let isOver = false;
  const person = async (index: number): Promise<void> => {
    while (!isOver) {
      const { status } = await ask(login(index), target);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status !== 400) await delay(1000);
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, (_, index) => person(index)));
  return {
    counts,
    async stop() {
      isOver = true;
      await all;
    },
  };
};

const column = (value: number, unit: string): string =>
  `${Math.round(value).toLocaleString('en')}${unit}`.padStart(14);

const line = (title: string, { times, perSecond }: Slice): string => {
  const shares = [0.5, 0.99].map((share) => column(percentile(times, share), ' µs'));
  return `${title.padEnd(32)}${shares.join('')}${column(perSecond, '/s')}\n`;
};

/** Measures and prints; false where a login was answered otherwise than it may be. */
export const loginsCost = async (
  options: OurOptions,
  core: number | undefined,
): Promise<boolean> => {
  const { path, credentials } = await ourFile(options, pets);
  const copy = copyOf(path);
  const cleanUp = (): void => removeDatabase(copy);
  const running = await startOurs(options, `sqlite:${copy}`, credentials, core, { cleanUp });
  try {
    const steps = scenarioNamed('read-json-key').steps({ credentials, pets });
    const requests = wireRequests(steps, running);
    const course = { running, requests, connections: readers };
    await measure(course, 2);
    const alone = await measure(course, seconds);
    const people = keepLoggingIn(running);
    await delay(1000);
    const beside = await measure(course, seconds);
    await people.stop();
    process.stdout.write(
      `${`Read a pet, ${readers} connections`.padEnd(32)}        median           p99\n`,
    );
    process.stdout.write(line('without logins', alone) + line(`beside ${atOnce} logins`, beside));
    const ratio = percentile(beside.times, 0.5) / percentile(alone.times, 0.5);
    const counts = [...people.counts].map(([status, count]) => `${count} × ${status}`).join(', ');
    process.stdout.write(`The median is ${ratio.toFixed(2)} times; logins: ${counts}\n`);
    return [...people.counts.keys()].every((status) => [400, 429, 503].includes(status));
  } finally {
    await running.stop();
  }
};
