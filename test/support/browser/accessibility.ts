/** Holds a page against the Web Content Accessibility Guidelines 2.2, level AA, as far as a program can tell. */

import { expect } from '@jest/globals';
import type { AxeResults, RunOptions } from 'axe-core';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The part of a page that is checked, as selectors. */
export interface Part {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Returns violations of rules: the rule, the fault, and its place. */
const violationsOf = async (page: Page, part: Part): Promise<readonly (readonly string[])[]> => {
  await page.evaluate(axe.source);
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  const context = JSON.stringify({ include: ['html'], ...part });
  const results: AxeResults = await page.evaluate(
    `axe.run(${context}, ${JSON.stringify(options)})`,
  );
  return results.violations.map(({ id, help, nodes }) => [
    id,
    help,
    ...nodes.map(({ target, html, failureSummary }) =>
      [target.join(' '), html, failureSummary].join('\n    '),
    ),
  ]);
};

/** Expects no violation. */
export const expectAccessible = async (page: Page, part: Part = {}): Promise<void> => {
  expect(await violationsOf(page, part)).toEqual([]);
};

/** Expects that no one has to scroll sideways (WCAG 2.2, 1.4.10). */
export const expectToFit = async (page: Page): Promise<void> => {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(beyond).toBeLessThanOrEqual(0);
};

/** The rules that the part violates, in the order of their names. */
export const violatedRules = async (page: Page, part: Part): Promise<readonly string[]> =>
  (await violationsOf(page, part)).map(([id = '']) => id).sort();
