/** A whole race: fill the databases, start everybody, measure, report. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type as systemName } from 'node:os';
import { join } from 'node:path';
import type { Contestant, Prepared } from '../targets/contestant';
import { oursOnSqlite } from '../targets/ours';
import { oursOnPostgres } from '../targets/ours-on-postgres';
import { constantAnswers, databasePeers } from '../targets/peers';
import { prism } from '../targets/prism';
import type { Cores } from '../../machine/cores';
import type { Options } from '../options';
import { figuresOf } from '../report/figures';
import { goalsOf } from '../report/goals';
import { markdownText, terminalText } from '../report/layout';
import { plotSvg } from '../report/plot';
import type { Entrant, Report } from '../report/report';
import { makePlan } from './make-plan';
import type { Plan } from './plan';
import { type Progress, type RaceResult, race } from './race';
import { startTimes } from './start-times';

/** Everybody who could take part. */
export const allContestants = (options: Options, say: (line: string) => void): Contestant[] => {
  const ours = { folder: options.ours, say };
  const { before } = options;
  return [
    oursOnSqlite(ours),
    ...(before ? [oursOnSqlite({ folder: before, say }, 'before', 'ours before')] : []),
    oursOnPostgres(ours, options.postgres),
    ...databasePeers,
    prism,
    constantAnswers,
  ];
};

/** Fills the databases. Ours must take part; another that cannot is told of and left out. */
const prepareAll = async (plan: Plan, progress: Progress) => {
  const field = new Map<Contestant, Prepared>();
  const absent = new Map<string, string>();
  for (const contestant of plan.contestants) {
    try {
      const prepared = await contestant.prepare(plan.pets);
      field.set(contestant, prepared);
      await (await prepared.start(plan.core)).stop();
    } catch (error) {
      if (contestant.id === 'ours') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const [sentence = reason] = reason.split('\n', 1);
      progress.line(`${contestant.id} does not take part: ${reason}`);
      absent.set(contestant.id, sentence);
      await field.get(contestant)?.dispose();
      field.delete(contestant);
    }
  }
  return { field, absent };
};

const entrantOf = (
  { id, title, kind, durability, checks }: Contestant,
  absent: ReadonlyMap<string, string>,
  starts: ReadonlyMap<string, readonly number[]>,
  { exactInt64 }: RaceResult,
): Entrant => ({
  ...{ id, title, kind, durability },
  absent: absent.get(id),
  starts: starts.get(id) ?? [],
  exactInt64: checks === 'content' ? exactInt64.get(id) : undefined,
});

/** What the figures were taken on. */
export const machineFacts = (pinned: boolean): Report['machine'] => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  node: process.versions.node,
  system: `${systemName()} ${release()}`,
  pinned,
});

const writeReports = (report: Report, { out, plot }: Options): void => {
  mkdirSync(out, { recursive: true });
  const name = join(out, report.date.replace(/[:.]/g, '-'));
  writeFileSync(`${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(`${name}.md`, markdownText(report));
  if (plot !== undefined) writeFileSync(plot, plotSvg(report));
  process.stderr.write(`${name}.md and .json are written\n`);
};

/** Runs the race. Resolves to false where a contestant gave a wrong answer. */
export const runRace = async (
  options: Options,
  cores: Cores | undefined,
  progress: Progress,
): Promise<boolean> => {
  const say = (line: string): void => progress.step(0, 0, line);
  const plan = makePlan(options, allContestants(options, say), cores?.server);
  progress.line(
    `${plan.scenarios.length} scenarios, ${plan.contestants.length} contestants, ${plan.rounds} rounds of ${plan.seconds.toFixed(2)} s`,
  );
  const { field, absent } = await prepareAll(plan, progress);
  try {
    const starts = await startTimes(plan, field, progress);
    const result = await race(plan, field, progress);
    const { scenarios, contestants, pets, rounds, seconds, connections } = plan;
    const facts = {
      date: new Date().toISOString(),
      machine: machineFacts(cores !== undefined),
      ...{ pets, rounds, seconds, connections },
      entrants: contestants.map((one) => entrantOf(one, absent, starts, result)),
      events: scenarios.map(({ name, title, phase }) => ({ name, title: title(pets), phase })),
      figures: figuresOf(result.cells),
      left: result.left,
    };
    const report: Report = { ...facts, goals: goalsOf(facts) };
    progress.line('');
    process.stdout.write(terminalText(report));
    writeReports(report, options);
    return !result.left.some(({ fault }) => fault);
  } finally {
    for (const prepared of field.values()) await prepared.dispose();
  }
};
