/** A whole race: fill the databases, start all servers, measure, report. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type as systemName } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../options';
import { figuresOf } from '../report/figures';
import type { Entrant, Report } from '../report/report';
import type { Contestant, Prepared } from '../targets/contestant';
import type { Plan } from './plan';
import { type Progress, type RaceResult, race } from './race';

/** Fills the databases. A peer that cannot take part is left out, with the reason. */
const prepareAll = async (plan: Plan, progress: Progress) => {
  const prepared = new Map<Contestant, Prepared>();
  const absent = new Map<string, string>();
  for (const contestant of plan.contestants) {
    try {
      const one = await contestant.prepare(plan.pets);
      prepared.set(contestant, one);
      await (await one.start(plan.core)).stop();
    } catch (error) {
      if (contestant.id === 'ours') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const [sentence = reason] = reason.split('\n', 1);
      progress.line(`${contestant.id} does not take part: ${reason}`);
      absent.set(contestant.id, sentence);
      await prepared.get(contestant)?.dispose?.();
      prepared.delete(contestant);
    }
  }
  return { prepared, absent };
};

/** How long each contestant takes from its start to its first right response, in milliseconds. */
const measureStarts = async (
  plan: Plan,
  prepared: ReadonlyMap<Contestant, Prepared>,
  progress: Progress,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const times = new Map<string, number[]>();
  for (let count = 0; count < plan.starts; count += 1) {
    for (const [{ id }, { start }] of prepared) {
      progress.step(0, 0, `starting: ${id}`);
      const running = await start(plan.core);
      times.set(id, [...(times.get(id) ?? []), running.startMilliseconds]);
      await running.stop();
    }
  }
  return times;
};

const entrantOf = (
  { id, title, kind }: Contestant,
  absent: ReadonlyMap<string, string>,
  starts: ReadonlyMap<string, readonly number[]>,
  { exactInt64 }: RaceResult,
): Entrant => ({
  ...{ id, title, kind },
  absent: absent.get(id),
  starts: starts.get(id) ?? [],
  exactInt64: exactInt64.get(id),
});

/** The machine, and whether the servers have a core of their own there. */
export const machineOf = (core: number | undefined): Report['machine'] => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  node: process.versions.node,
  system: `${systemName()} ${release()}`,
  pinned: core !== undefined,
});

/** Runs the race of the plan. */
export const runRace = async (plan: Plan, progress: Progress): Promise<Report> => {
  const { prepared, absent } = await prepareAll(plan, progress);
  try {
    const starts = await measureStarts(plan, prepared, progress);
    const result = await race(plan, prepared, progress);
    const { scenarios, contestants, pets, processes, rounds, seconds, connections } = plan;
    return {
      date: new Date().toISOString(),
      machine: machineOf(plan.core),
      ...{ pets, processes, rounds, seconds, connections },
      entrants: contestants.map((one) => entrantOf(one, absent, starts, result)),
      scenarios: scenarios.map(({ name, title }) => ({ name, title: title(pets) })),
      figures: figuresOf(result.cells),
      skipped: result.skipped,
    };
  } finally {
    for (const one of prepared.values()) await one.dispose?.();
  }
};

/** Writes the report as Markdown and JSON. */
export const writeReport = (report: Report, markdown: string, { out }: Options): void => {
  mkdirSync(out, { recursive: true });
  const name = join(out, report.date.replace(/[:.]/g, '-'));
  writeFileSync(`${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(`${name}.md`, markdown);
  process.stderr.write(`${name}.md and .json are written\n`);
};
