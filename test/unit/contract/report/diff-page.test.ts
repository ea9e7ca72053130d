/** The page of a comparison says every change, the worst first. */

import { describe, expect, test } from '@jest/globals';
import type { ShownChange } from '../../../../src/contract/report/changes';
import { diffPage } from '../../../../src/contract/report/diff-page';
import { hostileTexts, withHostileTexts } from '../../../support/hostile-texts';
import { petStoreComparison } from '../../../support/reports';
import { closedUp, elementsOf, expectSound, textOf } from './sound-page';

const comparison = petStoreComparison();
const page = diffPage(comparison);

const sectionOf = (text: string, id: string): string =>
  new RegExp(`<section id="${id}".*?</section>`, 's').exec(text)?.[0] ?? '';

const headingsOf = (section: string): readonly string[] =>
  [...section.matchAll(/<h3 .*?<\/h3>/gs)].map(([heading]) => textOf(heading).trim());

test('is sound', () => {
  expectSound(page);
});

test.each(comparison.changes.map((change) => [change.rule, change] as const))(
  'shows %s with all that belongs to it',
  (_, change) => {
    const { severity, side, message, file, line, column, pointer, was, now, allowed } = change;
    const section = textOf(sectionOf(page, allowed === undefined ? 'changes' : 'allowed'));
    const texts = [
      severity,
      side,
      message,
      `${file}:${line}:${column}`,
      pointer,
      `Was ${was ?? 'nothing'}`,
      `Is now ${now ?? 'nothing'}`,
      allowed?.reason,
      allowed?.expires,
    ].filter((text) => text !== undefined);
    expect(texts.filter((text) => !section.includes(closedUp(text)))).toEqual([]);
  },
);

test('operations with a breaking change come first and are open, the document has its own heading', () => {
  const section = sectionOf(page, 'changes');
  expect(headingsOf(section)).toEqual([
    'POST /pet addPet',
    'GET /pet/{petId} getPetById',
    'DELETE /store/order/{orderId} deleteOrder',
    'The whole document',
    'GET /pet/findByStatus findPetsByStatus',
  ]);
  expect(section.match(/<details class="group changes"[^>]*>/g)).toEqual([
    ...Array.from({ length: 3 }, () => '<details class="group changes" open>'),
    ...Array.from({ length: 2 }, () => '<details class="group changes">'),
  ]);
});

test('within an operation the worst comes first', () => {
  const [first = ''] = sectionOf(page, 'changes').match(/<details.*?<\/details>/s) ?? [];
  expect([...first.matchAll(/data-state="(\w+)"/g)].map(([, severity]) => severity)).toEqual([
    'breaking',
    'warning',
    'compatible',
  ]);
});

test('what is allowed stands apart and does not count', () => {
  expect(sectionOf(page, 'changes')).not.toContain('logoutUser');
  expect(headingsOf(sectionOf(page, 'allowed'))).toEqual(['GET /user/logout logoutUser']);
  expect(textOf(page)).toContain('Breaking 3 Warnings 1 Compatible 3 Allowed 1');
});

test.each<[string, readonly ShownChange['severity'][], string]>([
  ['no change', [], '✓ Nothing breaks'],
  ['compatible ones alone', ['compatible'], '✓ Nothing breaks'],
  ['a warning', ['warning', 'compatible'], '! 1 warning, nothing that surely breaks'],
  [
    'two that break',
    ['breaking', 'warning', 'breaking'],
    '✕ 2 breaking changes of 1 place, in 0 operations',
  ],
])('%s', (_, given, verdict) => {
  const [change] = comparison.changes;
  if (change === undefined) throw new Error('There is no change');
  const changes = given.map((severity) => ({ ...change, severity }));
  const other = diffPage({ ...comparison, changes });
  expectSound(other);
  expect(textOf(other)).toContain(verdict);
  expect(other).not.toContain('NaN');
});

describe('keeps hostile texts as texts', () => {
  test.each(hostileTexts)('%s', (_, hostile) => {
    const spoilt = diffPage(withHostileTexts(comparison, hostile, ['severity', 'side']));
    expectSound(spoilt);
    expect(elementsOf(spoilt)).toEqual(elementsOf(page));
    for (const { message } of comparison.changes)
      expect(textOf(spoilt)).toContain(closedUp(hostile + message));
  });
});
