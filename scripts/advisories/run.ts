/**
 * `npm run advisories`: asks the registry for advisories of the packages that the server runs with, and fails where one is high or
 * critical. Where the registry does not answer such questions, it holds the list in SECURITY.md to what is installed.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { readAudit } from './audit-report';
import { installedPackages, type Lock, listProblems, readPackageList } from './listed-packages';

/** Returns the output of `npm audit`; its exit code says no more. */
const askRegistry = (): string => {
  const options = { cwd: rootFolder, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], options);
  if (error !== undefined) throw error;
  return stdout;
};

const textOf = (file: string): string => readFileSync(join(rootFolder, file), 'utf8');

/** Returns the problems of the list, and prints the date of the last look. */
const checkList = (): readonly string[] => {
  const list = readPackageList(textOf('src/server/SECURITY.md'));
  const lock: Lock = JSON.parse(textOf('package-lock.json'));
  const problems = listProblems(list, installedPackages(lock));
  if (problems.length > 0) return ['src/server/SECURITY.md lists other packages:', ...problems];
  say(`${list.versions.size} packages are as listed in src/server/SECURITY.md on ${list.lastLook}`);
  return [];
};

const outcome = readAudit(askRegistry());
if ('unanswered' in outcome) say(`The registry tells no advisories: ${outcome.unanswered}`);
const problems = 'unanswered' in outcome ? checkList() : outcome.severe;
for (const problem of problems) say(problem);
if (problems.length > 0) process.exitCode = 1;
else if ('severe' in outcome) say('The registry knows no high or critical advisory');
