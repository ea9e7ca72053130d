/** The pages that are read: in order for every reader, by day, by night and on a phone. For the sign-in see sign-in.test.ts. */

import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { expectAccessible, expectToFit, violatedRules } from '../support/browser/accessibility';
import { useBrowser } from '../support/browser/browser';

const story = useBrowser();

const refused =
  '/petstore/oauth/authorize?response_type=token&client_id=docs&redirect_uri=https://evil.example/';
/** The rule that Swagger UI's own markup violates: links within buttons. */
const swaggerViolates = ['nested-interactive'];

const pages: readonly [name: string, path: string, heading: string][] = [
  ['start', '/', 'Services'],
  ['refused-request', refused, 'This request cannot continue'],
];

describe.each<[string, BrowserContextOptions]>([
  ['day', { colorScheme: 'light' }],
  ['night', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
])('by %s', (when, options) => {
  test.each(pages)('%s', async (name, path, heading) => {
    const visitor = await story().visit(options);
    const page = await visitor.open(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await visitor.picture(page, `${name}-${when}`);
    await expectAccessible(page);
    await expectToFit(page);
    if (name === 'refused-request') await visitor.expectFault(/status of 400/);
  });

  test('try it out, as far as the page is ours', async () => {
    const visitor = await story().visit(options);
    const page = await visitor.open('/petstore/docs/');
    await page.getByRole('button', { name: 'Authorize' }).waitFor();
    await visitor.picture(page, `try-it-out-${when}`);
    const ours = await page.evaluate(
      'getComputedStyle(document.querySelector(".site")).fontFamily',
    );
    for (const part of ['.title', '.btn.authorize', '.opblock-summary-description']) {
      const typeface = `getComputedStyle(document.querySelector('#swagger-ui ${part}')).fontFamily`;
      expect([part, await page.evaluate(typeface)]).toEqual([part, ours]);
    }
    await expectAccessible(page, { exclude: ['#swagger-ui'] });
    expect(await violatedRules(page, { include: ['#swagger-ui'] })).toEqual(swaggerViolates);
  });
});
