/** A user of a browser: opens pages, and records each fault of a page. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../../../scripts/machine/until';

/** A browser of one person, with cookies of its own. */
export interface Visitor {
  /** Opens a page of the services; the path may be a whole URL. */
  open(path: string): Promise<Page>;
  /** The window that opens when that is done. */
  popup(page: Page, deed: () => Promise<unknown>): Promise<Page>;
  /** Waits for a fault that was to come; what is like it counts no more. */
  expectFault(pattern: RegExp): Promise<void>;
  /** Nothing has gone wrong that was not expected. */
  expectNoFault(): void;
  /** Keeps a picture of the page, where the environment variable SCREENSHOTS names a folder. */
  picture(page: Page, name: string): Promise<void>;
  leave(): Promise<void>;
}

const folder = process.env['SCREENSHOTS'];

/** Listens to all that a page complains of; requests to anywhere but the origin are cut off, and are faults. */
const watch = (page: Page, origin: string, faults: string[]): void => {
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${page.url()})`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message} (${page.url()})`));
  page.on('requestfailed', (request) => {
    faults.push(`request: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOutside = /^(https?|wss?):$/.test(url.protocol) && url.origin !== origin;
    if (isOutside) faults.push(`outside: ${request.url()}`);
  });
};

/** A new person at the browser. */
export const newVisitor = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> => {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(20_000);
  const faults: string[] = [];
  const expected: RegExp[] = [];
  context.on('page', (page) => watch(page, origin, faults));
  return {
    async open(path) {
      const page = await context.newPage();
      await page.goto(new URL(path, origin).href);
      return page;
    },
    async popup(page, deed) {
      const [opened] = await Promise.all([page.waitForEvent('popup'), deed()]);
      await opened.waitForLoadState();
      return opened;
    },
    async expectFault(pattern) {
      await until(`a fault like ${pattern}`, () => faults.find((fault) => pattern.test(fault)));
      expected.push(pattern);
    },
    expectNoFault() {
      const others = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
      expect(others).toEqual([]);
    },
    async picture(page, name) {
      if (folder === undefined) return;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    },
    leave: () => context.close(),
  };
};
