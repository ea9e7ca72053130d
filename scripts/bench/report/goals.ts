/** What the figures are held against. */

import { type Figure, geometricMean, median } from './figures';
import { figuresFor, mainConnections, type Report } from './report';

/** A goal: met, missed, or not measured in this run. */
export interface Goal {
  readonly goal: string;
  readonly met: boolean | undefined;
  readonly found: string;
}

type Facts = Omit<Report, 'goals'>;

const contender = 'ours';

const pairs = (facts: Facts, other: string, connections: number): [Figure, Figure][] =>
  figuresFor(facts, contender, connections).flatMap((ours): [Figure, Figure][] => {
    const theirs = figuresFor(facts, other, connections).find(
      ({ scenario }) => scenario === ours.scenario,
    );
    return theirs ? [[ours, theirs]] : [];
  });

/** Peers that are as durable as ours, or store nothing; the unsynced ones do less. */
const rivals = ({ entrants }: Facts): string[] =>
  entrants
    .filter(({ kind, durability }) => kind === 'peer' && durability !== 'unsynced')
    .map(({ id }) => id);

const goal = (text: string, met: boolean | undefined, found: string): Goal => ({
  goal: text,
  met,
  found: met === undefined ? 'not measured' : found,
});

const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

const meanGoal = (facts: Facts, other: string, least: number): Goal => {
  const connections = mainConnections(facts.connections);
  const text = `Geometric mean at ${connections} connections at least ${least} × ${other}`;
  const ratios = pairs(facts, other, connections).map(
    ([ours, theirs]) => ours.perSecond / theirs.perSecond,
  );
  const mean = geometricMean(ratios);
  return goal(text, ratios.length === 0 ? undefined : mean >= least, times(mean));
};

/** Every pair of ours and a rival's that breaks a rule. */
const exceptions = (
  facts: Facts,
  connections: readonly number[],
  breaks: (ours: Figure, theirs: Figure) => string | undefined,
): { readonly count: number; readonly broken: readonly string[] } => {
  const all = connections.flatMap((count) =>
    rivals(facts).flatMap((rival) => pairs(facts, rival, count)),
  );
  const broken = all.flatMap(([ours, theirs]) => {
    const how = breaks(ours, theirs);
    return how === undefined
      ? []
      : [`${ours.scenario} × ${ours.connections} against ${theirs.contestant}: ${how}`];
  });
  return { count: all.length, broken };
};

const listGoal = (
  text: string,
  { count, broken }: { readonly count: number; readonly broken: readonly string[] },
): Goal => {
  const found = `${count - broken.length} of ${count}`;
  const list = broken.length === 0 ? '' : `; not: ${broken.join('; ')}`;
  return goal(text, count === 0 ? undefined : broken.length === 0, `${found}${list}`);
};

const aheadGoal = (facts: Facts): Goal =>
  listGoal(
    'Ahead of every peer in every scenario that it can do, with more than one connection',
    exceptions(
      facts,
      facts.connections.filter((count) => count > 1),
      (ours, theirs) => {
        const ratio = ours.perSecond / theirs.perSecond;
        return ratio < 1 ? times(ratio) : undefined;
      },
    ),
  );

const microseconds = (value: number): string => `${Math.round(value).toLocaleString('en')} µs`;

const lonelyGoal = (facts: Facts): Goal => {
  const all = facts.connections.includes(1) ? pairs(facts, 'hand-written', 1) : [];
  const broken = all.flatMap(([ours, theirs]) =>
    ours.p50 <= theirs.p50 * 1.2
      ? []
      : [`${ours.scenario}: ${microseconds(ours.p50)} against ${microseconds(theirs.p50)}`],
  );
  return listGoal('One connection: median time at most that of the hand-written peer and 20 %', {
    count: all.length,
    broken,
  });
};

const tailGoal = (facts: Facts): Goal =>
  listGoal(
    '64 connections: p99 at most that of every peer',
    exceptions(
      facts,
      facts.connections.filter((count) => count === 64),
      ({ p99 }, theirs) =>
        p99 <= theirs.p99 ? undefined : `${microseconds(p99)} against ${microseconds(theirs.p99)}`,
    ),
  );

const startGoal = ({ entrants }: Facts): Goal => {
  const starts = entrants.find(({ id }) => id === contender)?.starts ?? [];
  const found = median(starts);
  return goal(
    'Start to first answer below 700 ms',
    starts.length === 0 ? undefined : found < 700,
    `${Math.round(found)} ms`,
  );
};

const memoryGoal = ({ figures }: Facts): Goal => {
  const held = figures
    .filter(({ contestant }) => contestant === contender)
    .flatMap(({ resident }) => (resident === undefined ? [] : [resident / 2 ** 20]));
  const most = Math.max(...held);
  return goal(
    'Resident memory under load below 150 MB',
    held.length === 0 ? undefined : most < 150,
    `${Math.round(most)} MB`,
  );
};

/** Holds the facts against every goal. */
export const goalsOf = (facts: Facts): Goal[] => [
  meanGoal(facts, 'hand-written', 1.5),
  meanGoal(facts, 'fastify', 2.5),
  aheadGoal(facts),
  lonelyGoal(facts),
  tailGoal(facts),
  startGoal(facts),
  memoryGoal(facts),
];
