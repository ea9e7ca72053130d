/** Several programs on one database, as on as many hosts: whether those that add items wait for each other. */

import type { Client } from 'pg';
import { rootFolder } from '../../../root-folder';
import type { Credentials } from '../../data/pets';
import { type Driven, drive, faultsOf } from '../../load/drive';
import { wireRequests } from '../../load/request';
import { median } from '../../report/figures';
import { markdownTable } from '../../report/layout';
import type { Progress } from '../../runs/race';
import { addStep } from '../../scenarios/pet-steps';
import { stepsOf } from '../../scenarios/scenario';
import type { Running } from '../../targets/contestant';
import { fillOurs, startOurs } from '../../targets/ours';
import { createDatabase, openClient } from '../../targets/postgres-databases';
import type { DatabaseServer } from '../../targets/postgres-server';
import { delayCommits } from './commit-delay';
import { type Waits, watchWaits } from './waits';

const pets = 1000;

/** What is measured. */
export interface HostsOptions {
  /** The most programs. */
  readonly hosts: number;
  /** Milliseconds by which each commit is delayed; 0: not at all. */
  readonly commitDelay: number;
  /** Connections to each program. */
  readonly connections: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
}

/** 1, 2, 4 and so on, up to the most. */
const counts = (most: number): number[] => {
  const powers = Array.from({ length: Math.ceil(Math.log2(most)) }, (_, power) => 2 ** power);
  return [...powers, most];
};

/** Adds pets at all programs at once. */
const addPets = (
  programs: readonly Running[],
  { connections }: HostsOptions,
  seconds: number,
): Promise<Driven[]> =>
  Promise.all(
    programs.map((running) => {
      const { credentials, port } = running;
      const steps = stepsOf((number) => addStep({ credentials, pets }, number, 'json'));
      const requests = wireRequests(steps, running);
      return drive({ port, requests, connections, enough: (passed) => passed >= seconds });
    }),
  );

const rowOf = (programs: readonly Running[], driven: readonly Driven[], waits: Waits): string[] => [
  `${programs.length}`,
  Math.round(
    driven.reduce((sum, { responses, seconds }) => sum + responses / seconds, 0),
  ).toLocaleString('en'),
  ...[50, 99].map((percentile) =>
    (median(driven.map(({ times }) => times.percentile(percentile))) / 1000).toFixed(1),
  ),
  waits.committing.toFixed(2),
  waits.locked.toFixed(2),
  waits.reasons.map(([reason, count]) => `${reason}: ${count}`).join(', ') || 'none',
];

const measure = async (
  options: HostsOptions,
  programs: readonly Running[],
  client: Client,
): Promise<string[]> => {
  await addPets(programs, options, 1);
  const watch = watchWaits(client);
  const driven = await addPets(programs, options, options.seconds);
  const waits = await watch.stop();
  const faults = driven.map(faultsOf).find((fault) => fault !== undefined);
  if (faults !== undefined) throw new Error(`Wrong responses: ${faults}`);
  return rowOf(programs, driven, waits);
};

const withPrograms = async (
  count: number,
  start: () => Promise<Running>,
  use: (programs: readonly Running[]) => Promise<string[]>,
): Promise<string[]> => {
  const programs: Running[] = [];
  try {
    while (programs.length < count) programs.push(await start());
    return await use(programs);
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
  }
};

const measureOn = async (
  options: HostsOptions,
  url: string,
  core: number | undefined,
  progress: Progress,
): Promise<string[][]> => {
  const ours = { folder: rootFolder, say: (line: string) => progress.step(0, 0, line) };
  const credentials: Credentials = await fillOurs(ours, url, pets);
  const client = await openClient(url);
  if (options.commitDelay > 0) await delayCommits(client, options.commitDelay);
  const rows: string[][] = [];
  for (const count of counts(options.hosts)) {
    progress.step(0, 0, `adding pets at ${count} programs`);
    const start = (): Promise<Running> => startOurs(ours, url, credentials, core);
    rows.push(await withPrograms(count, start, (programs) => measure(options, programs, client)));
  }
  await client.end();
  return rows;
};

/** Measures and prints a table. */
export const measureHosts = async (
  options: HostsOptions,
  server: DatabaseServer,
  core: number | undefined,
  progress: Progress,
): Promise<void> => {
  const url = await createDatabase(server, 'bench_hosts');
  const rows = await measureOn(options, url, core, progress);
  const title = `Adding pets at several programs on one database, ${options.connections} connections to each, each commit delayed by ${options.commitDelay} ms`;
  const head = [
    ...['programs', 'pets a second', 'p50 ms', 'p99 ms', 'commits at a time'],
    ...['waiting for a lock', 'for which (times seen)'],
  ];
  process.stdout.write(`${markdownTable({ title, head, rows })}\n`);
};
