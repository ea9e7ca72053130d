/** `npm run conformance`: runs the tests that name a rule and prints, rule by rule, whether they pass. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countByRule, printTable, rules, type TestResult } from './rules';

/** Jest's report, as far as it is read here. */
interface JestReport {
  readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[];
}

/** Runs every test whose full name holds an id, and reads Jest's own report of it. */
const runTests = (): readonly TestResult[] => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const report = join(folder, 'report.json');
    const pattern = '(^| )[XPBFSRDVW]\\d\\d ';
    const run = spawnSync(
      process.execPath,
      [
        'node_modules/jest/bin/jest.js',
        ...['--selectProjects', 'sqlite'],
        '--silent',
        '--json',
        `--outputFile=${report}`,
        '-t',
        pattern,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (run.error !== undefined) throw run.error;
    const { testResults }: JestReport = JSON.parse(readFileSync(report, 'utf8'));
    return testResults.flatMap(({ assertionResults }) => assertionResults);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const counts = countByRule(rules, runTests());
process.stdout.write(printTable(counts));
if (counts.some(({ passed, failed }) => passed === 0 || failed > 0)) process.exitCode = 1;
