/** `npm run fuzz`: searches for inputs that break a reader or the HTTP server. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { numberFrom, seedOption } from '../machine/number-option';
import { runMain, say } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { corpusLine, readCorpus } from './corpus';
import type { FuzzTargets } from './target';
import { type Fault, runThread } from './thread';

const targetsModule = join(rootFolder, 'test/fuzz/targets.ts');

/** The options of the command line. */
interface Options {
  /** For all targets together. */
  readonly minutes: number;
  /** Names, or parts of names; all targets where the list is empty. */
  readonly target: readonly string[];
  /** The seed of all random choices. */
  readonly seed: number;
}

const readOptions = (): Options =>
  new Command('fuzz')
    .description('Search for inputs that break a reader or the HTTP server')
    .option('--minutes <n>', 'for all targets together', numberFrom(0.01, 10_000, false), 10)
    .option(
      '--target <name>',
      'a target, or a part of names; may be repeated',
      (name, names: readonly string[]) => [...names, name],
      [],
    )
    .addOption(seedOption())
    .parse()
    .opts();

const chooseTargets = (wanted: readonly string[]): readonly string[] => {
  const { targets }: { targets: FuzzTargets } = require(targetsModule);
  const all = Object.keys(targets);
  const chosen = all.filter(
    (name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
  if (chosen.length === 0) throw new Error(`Unknown target; choose from ${all.join(', ')}`);
  return chosen;
};

/** Faults of the same key are the same: numbers and texts of the input do not count. */
const keyOf = ({ text }: Fault): string =>
  text
    .split('\n')
    .filter((line, index) => index === 0 || /\/(?:src|test)\//.test(line))
    .slice(0, 3)
    .join(' ')
    .replaceAll(/\d+|"[^"]*"/g, '#')
    .slice(0, 300);

/** The most different faults of a target: with so many there is enough to fix. */
const mostFaults = 10;

/** The faults of a search: of those with the same key, the one with the shortest input. */
const collectFaults = () => {
  const faults = new Map<string, Fault>();
  const lengthOf = ({ input }: Fault): number => input?.length ?? 0;
  const report = (fault: Fault): void => {
    const key = keyOf(fault);
    const known = faults.get(key);
    const isBetter =
      known === undefined ? faults.size < mostFaults : lengthOf(fault) < lengthOf(known);
    if (isBetter) faults.set(key, fault);
  };
  return { faults, report };
};

/** Saves the input as a line for the target's corpus, with the text below it; returns a line for the terminal. */
const saveFault = (name: string, { input, text }: Fault): string => {
  const line = input === undefined ? '' : corpusLine(input);
  const hash = createHash('sha256').update(line).digest('hex').slice(0, 12);
  const folder = join(rootFolder, 'scripts/fuzz/findings');
  mkdirSync(folder, { recursive: true });
  const file = `${name}-${hash}.txt`;
  writeFileSync(join(folder, file), `${line}\n\n${text}\n`);
  return `  findings/${file}: ${text.split('\n', 1)[0]?.slice(0, 200)}`;
};

/** Searches a target for so many seconds; in a new thread where one was lost. */
const searchTarget = async (name: string, seconds: number, seed: number): Promise<number> => {
  const corpus = readCorpus(join(rootFolder, `test/fuzz/corpus/${name}.txt`));
  const { faults, report } = collectFaults();
  const deadline = performance.now() + seconds * 1000;
  let executions = 0;
  for (let round = 0; round < mostFaults; round += 1) {
    const left = (deadline - performance.now()) / 1000;
    if (left <= 0) break;
    const task = { targets: targetsModule, name, corpus, seconds: left, seed: seed + round };
    const end = await runThread(task, report);
    executions += end.executions;
    if (!end.isLost) break;
  }
  const speed = Math.round(executions / seconds);
  say(`${name}: ${executions} executions, ${speed}/s; ${faults.size} findings`);
  for (const fault of faults.values()) say(saveFault(name, fault));
  return faults.size;
};

/** Searches target by target; ends with 1 where something was found. */
runMain(async () => {
  const { minutes, target, seed } = readOptions();
  const names = chooseTargets(target);
  const seconds = (60 * minutes) / names.length;
  say(`Seed ${seed}; ${seconds.toFixed(1)} s for each of ${names.length} targets`);
  let found = 0;
  for (const name of names) found += await searchTarget(name, seconds, seed);
  return found > 0 ? 1 : 0;
});
