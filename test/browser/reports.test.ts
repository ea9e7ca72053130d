/** The pages of reports, opened from files: by day, by night, on a phone, and without scripts. */

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

describe('a test', () => {
  const open = async (options: BrowserContextOptions = {}) =>
    openPage(await story().visit(options), testPage(report));

  /** The names of the operations whose rows are shown. */
  const shownIn = (page: Page): Promise<string[]> =>
    page.locator('.row:visible .name').allTextContents();

  test('is filtered by operation', async () => {
    const page = await open();
    await page.getByLabel('Operation or rule').fill('store/ord');
    expect(await shownIn(page)).toEqual(['getOrderById', 'deleteOrder', 'placeOrder']);
    expect(await page.locator('output').textContent()).toBe('3 shown');
    expect(await page.getByRole('heading', { name: 'Failures' }).isVisible()).toBe(false);
    await page.getByLabel('Operation or rule').fill('created-not');
    expect(await shownIn(page)).toEqual(['addPet']);
    expect(await page.locator('.failure:visible').count()).toBe(1);
    await page.getByLabel('Operation or rule').fill('');
    expect(await shownIn(page)).toHaveLength(19);
    expect(await page.locator('.failure:visible').count()).toBe(3);
  });

  test('is filtered by what failed and what was not reached', async () => {
    const page = await open();
    await page.getByLabel('Failed').check();
    expect(await shownIn(page)).toEqual(['addPet', 'getInventory']);
    await page.getByLabel('Not wholly reached').check();
    const missed = report.coverage.operations.filter(({ covered, total }) => covered < total);
    expect(await shownIn(page)).toEqual(missed.map(({ operation }) => operation));
    await page.getByLabel('All').check();
    expect(await shownIn(page)).toHaveLength(19);
  });

  test('leads from a row to its failure, whose command is copied', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByLabel('Operation or rule').fill('inventory');
    await page.locator('.row', { hasText: 'getInventory' }).locator('summary').click();
    await page.getByRole('link', { name: 'no-response' }).click();
    const failure = page.locator('.failure[open]');
    await failure.getByRole('button', { name: 'Copy' }).click();
    await failure.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(report.failures[2]?.curl);
  });

  test('leads to a failure that the filter hides', async () => {
    const page = await open();
    await page.getByLabel('Operation or rule').fill('created-not-found');
    await page.locator('.row', { hasText: 'addPet' }).locator('summary').click();
    await page.getByRole('link', { name: 'invalid-accepted' }).click();
    await page.getByRole('heading', { name: 'Expected' }).waitFor();
    expect(await page.locator('.failure[open] > summary .rule').allTextContents()).toEqual([
      'invalid-accepted',
    ]);
  });

  test('marks the command where it cannot be copied', async () => {
    const page = await open();
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    const failure = page.locator('.failure').first();
    await failure.locator('summary').click();
    await failure.getByRole('button', { name: 'Copy' }).click();
    await failure.getByRole('button', { name: /^Selected/ }).waitFor();
    expect(await page.evaluate('String(getSelection())')).toBe(report.failures[0]?.curl);
  });

  test('shows everything without scripts, and no switch that would do nothing', async () => {
    const page = await open({ javaScriptEnabled: false });
    expect(await page.locator('.filter:visible, .copy:visible').count()).toBe(0);
    expect(await shownIn(page)).toHaveLength(19);
    const failure = page.locator('.failure').first();
    await failure.locator('summary').click();
    await failure.getByText('--data-binary').waitFor();
    const row = page.locator('.row', { hasText: 'getPetById' });
    await row.locator('summary').click();
    await row.getByText('never reached: no id was unknown to the server').waitFor();
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
  expect(await page.locator('script').count()).toBe(1);
  await expectToFit(page);
});
