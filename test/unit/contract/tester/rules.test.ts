/** The page of the test lists the rules as they are. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { testRules } from '../../../../src/contract';
import { bookingFaults } from '../../../end-to-end/contract-test/bookings-server';
import { faultGroups } from '../../../end-to-end/contract-test/faults';
import { streamFaults } from '../../../end-to-end/contract-test/stream-faults';

const page = readFileSync(join(rootFolder, 'src/contract/testing.md'), 'utf8');

const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, name, text]) => [
  name,
  text,
]);

test('the page has each rule with its sentence, in order', () => {
  const names = Object.keys(testRules);
  expect(rows.filter(([name]) => names.includes(String(name)))).toEqual(Object.entries(testRules));
});

test('every rule is broken by a planted mistake', () => {
  const broken = new Set(
    [...Object.values(faultGroups), streamFaults, bookingFaults].flatMap((faults) =>
      faults.map(({ rule }) => rule),
    ),
  );
  expect([...broken].sort()).toEqual(Object.keys(testRules).sort());
});
