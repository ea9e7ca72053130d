/** `npm run fuzz`: searches for inputs that break a reader or the HTTP server. */

import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { runMain } from '../machine/run-main';
import { buildTargets } from './build';
import { type Outcome, runCampaign } from './campaign';
import { readOptions } from './options';
import type { FuzzTargets } from './target';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const namesIn = (build: string, wanted: readonly string[]): readonly string[] => {
  const { targets }: { targets: FuzzTargets } = require(join(build, 'test/fuzz/targets.js'));
  const names = Object.keys(targets).filter(
    (name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
  if (names.length === 0) throw new Error(`The targets are ${Object.keys(targets).join(', ')}`);
  return names;
};

const describe = ({
  name,
  executions,
  seconds,
  reached,
  all,
  corpus,
  findings,
}: Outcome): string => {
  const speed = Math.round(executions / seconds);
  const share = ((100 * reached) / Math.max(1, all)).toFixed(1);
  return [
    `${name}: ${executions} executions, ${speed}/s; ${reached} of ${all} branches and functions (${share} %);`,
    `${corpus} inputs in the corpus; ${findings.length} findings`,
    ...findings.map((finding) => `\n  ${finding}`),
  ].join(' ');
};

/** Searches target by target; resolves to the exit code: 1 where something was found. */
const main = async (): Promise<number> => {
  const { minutes, target, seed, keep } = readOptions(process.argv.slice(2), randomInt(2 ** 32));
  const build = await buildTargets();
  const names = namesIn(build.plain, target);
  const seconds = (60 * minutes) / names.length;
  say(`Seed ${seed}; ${seconds.toFixed(1)} s for each of ${names.length} targets`);
  let found = 0;
  for (const name of names) {
    const outcome = await runCampaign(build, name, { seconds, seed, keep });
    found += outcome.findings.length;
    say(describe(outcome));
  }
  return found > 0 ? 1 : 0;
};

runMain(main);
