/**
 * `npm run faults -- [NAME…]`: plants the faults of test/faults.jsonl one at a time in a copy of the project, and says how many cases of
 * the tests of their area find each. Before a change of the tests and after it, no fault may be found by none.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runMain, say, temporaryFolder } from '../machine/run-main';
import { rootFolder } from '../root-folder';

/** A mistake in the source that tests have to find. */
interface Fault {
  readonly fault: string;
  readonly file: string;
  /** A text that stands in the file once, and what takes its place. */
  readonly text: string;
  readonly instead: string;
  /** The folders and files of the tests of its area. */
  readonly tests: readonly string[];
}

/** The report of jest, as far as it is read. */
interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const copyProject = (): string => {
  const folder = temporaryFolder('faults-');
  const left = /^(?:node_modules|dist[^/]*|data|coverage|\.git)$/;
  cpSync(rootFolder, folder, {
    recursive: true,
    filter: (path) => !left.test(relative(rootFolder, path)),
  });
  symlinkSync(join(rootFolder, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** Runs the tests of an area; lists the cases that fail, and counts a file that cannot run at all, or not to its end, as one. */
const failures = (folder: string, tests: readonly string[]): readonly string[] => {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const options = ['--json', `--outputFile=${file}`, '--silent', '--forceExit', '--bail=0'];
  const args = [join('node_modules', 'jest', 'bin', 'jest.js'), ...tests, ...options];
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore', timeout: 600_000 });
  if (!existsSync(file)) return ['the tests did not end'];
  const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (status === 'failed' && failed.length === 0) return ['a file of tests did not run'];
    return failed.map(({ fullName }) => fullName);
  });
};

runMain(async () => {
  const names = process.argv.slice(2);
  const faults = readFileSync(join(rootFolder, 'test/faults.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Fault => JSON.parse(line))
    .filter(({ fault }) => names.length === 0 || names.some((name) => fault.includes(name)));
  const folder = copyProject();
  let missed = 0;
  for (const { fault, file, text, instead, tests } of faults) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    const [before = '', after, ...more] = source.split(text);
    if (after === undefined || more.length > 0) throw new Error(`${file} has not once: ${text}`);
    writeFileSync(path, before + instead + after);
    const found = failures(folder, tests);
    writeFileSync(path, source);
    if (found.length === 0) missed += 1;
    say(`${found.length}\t${fault}${found[0] === undefined ? '' : `\t${found[0]}`}`);
  }
  say(`${faults.length - missed} of ${faults.length} faults are found`);
  return missed === 0 ? 0 : 1;
});
