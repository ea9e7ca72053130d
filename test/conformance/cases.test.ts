/** The published cases against our engine. Rules that need more than an exchange have tests of their own. */

import { beforeAll, expect, test } from '@jest/globals';
import { readCases } from '../../scripts/conformance/cases';
import { ourEngine } from '../../scripts/conformance/ours';
import { type Result, runCases } from '../../scripts/conformance/run-cases';

const cases = readCases();
let results: readonly Result[];
beforeAll(async () => {
  const ours = ourEngine();
  results = await runCases(ours, cases);
  ours.stop();
}, 300_000);

test.each(cases.map(({ rule, id, title }, index) => ({ rule, id, title, index })))(
  '$rule $id $title',
  ({ index }) => {
    expect(results[index]).toMatchObject({ verdict: 'passed', reasons: [] });
  },
);
