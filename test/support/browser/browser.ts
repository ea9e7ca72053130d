/** Chromium beside running services, for all tests of a file. */

import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { type Services, startServices } from '../services';
import { newVisitor, type Visitor } from './visitor';

/** The start of a test in the browser. */
export interface BrowserStory {
  readonly services: Services;
  /** Opens a new visitor; all visitors leave after the test, and must have met no fault. */
  visit(options?: BrowserContextOptions): Promise<Visitor>;
}

/** The program's path; jest.config.js finds it. */
const executablePath = String(Reflect.get(globalThis, 'chromium'));

/** Nothing that the browser does by itself may disturb: no updates, no services of its maker's. */
const args = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts both; call the result inside tests. */
export const useBrowser = (
  environment: Readonly<Record<string, string>> = {},
  clock: () => number = Date.now,
): (() => BrowserStory) => {
  let browser: Browser | undefined;
  let services: Services | undefined;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    services = await startServices(environment, clock);
    // Chromium's sandbox refuses to work for root. The profile is a new one each time.
    const chromiumSandbox = process.getuid?.() !== 0;
    browser = await chromium.launch({ executablePath, args, chromiumSandbox });
  });
  afterEach(async () => {
    const all = visitors.splice(0);
    for (const visitor of all) await visitor.leave();
    for (const visitor of all) visitor.expectNoFault();
  });
  afterAll(async () => {
    await browser?.close();
    await services?.stop();
  });

  return () => {
    const [launched, started] = [browser, services];
    if (launched === undefined || started === undefined) throw new Error('Nothing has started');
    return {
      services: started,
      async visit(options) {
        const visitor = await newVisitor(launched, started.origin, options);
        visitors.push(visitor);
        return visitor;
      },
    };
  };
};
