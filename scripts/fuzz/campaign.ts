/** One target's search: what it keeps, what it finds, and its figures. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rootFolder } from '../root-folder';
import type { FuzzBuild } from './build';
import { readCorpus, writeCorpus } from './corpus';
import type { Report, Task } from './messages';
import { runThread } from './thread';

/** What came of a search. */
export interface Outcome {
  readonly name: string;
  readonly executions: number;
  readonly seconds: number;
  /** Branches and functions that ran, of those in the target's own folders. */
  readonly reached: number;
  readonly all: number;
  /** Inputs that reach something of their own. */
  readonly corpus: number;
  readonly findings: readonly string[];
}

const findingsFolder = join(rootFolder, 'scripts/fuzz/findings');
const grownCorpus = (name: string): string => join(rootFolder, `scripts/fuzz/corpus/${name}.txt`);
const keptCorpus = (name: string): string => join(rootFolder, `test/fuzz/corpus/${name}.txt`);

/** Two faults with one key are the same: numbers and texts of the input say nothing. */
const keyOf = (what: string): string =>
  what
    .split('\n')
    .filter((line, index) => index === 0 || /\/(?:src|test)\//.test(line))
    .slice(0, 3)
    .join(' ')
    .replaceAll(/\d+|"[^"]*"/g, '#')
    .slice(0, 300);

/** Kinds of faults that are looked at; with so many there is enough to mend. */
const mostSuspects = 10;
/** Bytes of an input that the tests run, too. */
const mostKept = 1024;
const mostHeapGrowth = 64 * 1024 * 1024;

/** Holds a suspect against the program without counters; undefined where it does nothing wrong there. */
const confirm = async (build: FuzzBuild, name: string, input: Uint8Array) => {
  let what: string | undefined;
  const work = { kind: 'check', input } as const;
  const end = await runThread(build.plain, { name, corpus: [], work }, (report) => {
    if (report.kind === 'checked') what = report.what;
  });
  return end.kind === 'lost' ? end.what : what;
};

const saveFinding = (name: string, input: Uint8Array, what: string): string => {
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const file = join(findingsFolder, `${name}-${hash}`);
  mkdirSync(findingsFolder, { recursive: true });
  writeFileSync(file, input);
  writeFileSync(`${file}.txt`, `${what}\n`);
  return `${relative(rootFolder, file)}: ${what.split('\n', 1)[0]?.slice(0, 200)}`;
};

const minimised = async (
  build: FuzzBuild,
  name: string,
  corpus: readonly Uint8Array[],
  countsMatter: boolean,
) => {
  let inputs = corpus;
  const work = { kind: 'minimise', countsMatter } as const;
  const end = await runThread(build.counted, { name, corpus, work }, (report) => {
    if (report.kind === 'minimised') inputs = report.inputs;
  });
  if (end.kind === 'lost') throw new Error(`${name}: the corpus cannot be minimised: ${end.what}`);
  return inputs;
};

interface SearchOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly keep: boolean;
}

/** What a search gathers while it runs. */
const gathering = (corpus: readonly Uint8Array[]) => {
  const kept = [...corpus];
  const suspects = new Map<string, { readonly input: Uint8Array; readonly what: string }>();
  const figures = { executions: 0, reached: 0, all: 0, heapGrowth: 0 };
  const suspect = (input: Uint8Array, what: string): void => {
    const key = keyOf(what);
    const known = suspects.get(key);
    const isBetter =
      known === undefined ? suspects.size < mostSuspects : input.length < known.input.length;
    if (isBetter) suspects.set(key, { input, what });
  };
  const take = (report: Report): void => {
    if (report.kind === 'kept') kept.push(report.input);
    if (report.kind === 'suspect') suspect(report.input, report.what);
    if (report.kind !== 'searched') return;
    const { reached, all, heapGrowth } = report;
    Object.assign(figures, { reached, all, heapGrowth });
  };
  return { kept, suspects, figures, suspect, take };
};

type Gathered = ReturnType<typeof gathering>;

/** Goes on in a new thread where one was lost. */
const search = async (
  build: FuzzBuild,
  name: string,
  { seconds, seed }: SearchOptions,
  { kept, figures, suspect, take }: Gathered,
): Promise<void> => {
  const deadline = performance.now() + seconds * 1000;
  for (let round = 0; round < mostSuspects; round += 1) {
    const left = (deadline - performance.now()) / 1000;
    if (left <= 0) return;
    const work: Task['work'] = { kind: 'search', seconds: left, seed: seed + round };
    const end = await runThread(build.counted, { name, corpus: [...kept], work }, take);
    figures.executions += end.executions;
    if (end.kind === 'done') return;
    if (end.input === undefined) throw new Error(`${name} cannot be run: ${end.what}`);
    suspect(end.input, end.what);
  }
};

/** Counters make everything slower. What else is not seen again may have come of the inputs before it. */
const unconfirmed = (what: string): string | undefined =>
  what.startsWith('Slow: ') ? undefined : `Seen once, and not again by itself: ${what}`;

const findingsOf = async (build: FuzzBuild, name: string, { suspects, figures }: Gathered) => {
  const findings: string[] = [];
  if (figures.heapGrowth > mostHeapGrowth) {
    findings.push(`${name}: ${figures.heapGrowth} more bytes are in use after the search`);
  }
  for (const { input, what } of suspects.values()) {
    const confirmed = (await confirm(build, name, input)) ?? unconfirmed(what);
    if (confirmed !== undefined) findings.push(saveFinding(name, input, confirmed));
  }
  return findings;
};

/** Searches for so many seconds, then looks at what was found, and saves the corpus. */
export const runCampaign = async (
  build: FuzzBuild,
  name: string,
  options: SearchOptions,
): Promise<Outcome> => {
  const gathered = gathering([...readCorpus(keptCorpus(name)), ...readCorpus(grownCorpus(name))]);
  await search(build, name, options, gathered);
  const findings = await findingsOf(build, name, gathered);
  const grown = await minimised(build, name, gathered.kept, true);
  writeCorpus(grownCorpus(name), grown);
  if (options.keep) {
    const least = await minimised(build, name, grown, false);
    writeCorpus(
      keptCorpus(name),
      least.filter(({ length }) => length <= mostKept),
    );
  }
  const { executions, reached, all } = gathered.figures;
  const { seconds } = options;
  return { name, executions, seconds, reached, all, corpus: grown.length, findings };
};
