/** The page of a test, opened from a file: by day, by night and on a phone. */

import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { testPage } from '../../src/contract/reports/test-page';
import { expectAccessible, expectToFit } from '../support/browser/accessibility';
import { useBrowser } from '../support/browser/browser';
import type { Visitor } from '../support/browser/visitor';
import { hostileTexts, withHostileTexts } from '../support/hostile-texts';
import { petStoreReport } from '../support/reports';
import { useTemporaryFolder } from '../support/temporary-folder';

const story = useBrowser();
const folder = useTemporaryFolder();

const openPage = async (visitor: Visitor, text: string): Promise<Page> => {
  const file = folder('report.html');
  await writeFile(file, text);
  return visitor.open(pathToFileURL(file).href);
};

const report = petStoreReport();

const openAll = (page: Page): Promise<unknown> =>
  page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');

describe.each<[string, BrowserContextOptions]>([
  ['day', { colorScheme: 'light' }],
  ['night', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
])('by %s', (when, options) => {
  test('the page is accessible, and fits folded and unfolded', async () => {
    const visitor = await story().visit(options);
    const page = await openPage(visitor, testPage(report));
    await visitor.picture(page, `report-test-${when}`);
    await expectToFit(page);
    await openAll(page);
    await visitor.picture(page, `report-test-${when}-unfolded`);
    await expectAccessible(page);
    await expectToFit(page);
  });
});

test('hostile texts do nothing', async () => {
  const hostile = hostileTexts.map(([, text]) => text).join('');
  const kept = ['rule', 'in', 'kind', 'depth'];
  const page = await openPage(
    await story().visit(),
    testPage(withHostileTexts(report, hostile, kept)),
  );
  await openAll(page);
  expect(await page.evaluate('typeof hacked')).toBe('undefined');
  expect(await page.locator('script').count()).toBe(0);
  await expectToFit(page);
});
