/** The page for devices: its user signs in, enters the code, and decides. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectAccessible, expectToFit } from '../support/browser/accessibility';
import { useBrowser } from '../support/browser/browser';
import { signIn } from '../support/browser/try-it-out';
import type { Visitor } from '../support/browser/visitor';
import { deviceOf, deviceSpecs } from '../support/device-grant';

const story = useBrowser({ SPECS_DIRECTORY: deviceSpecs() });
const device = deviceOf(() => story().services);
beforeAll(() => device.register());

const visit = async (path: string, options?: BrowserContextOptions): Promise<[Visitor, Page]> => {
  const visitor = await story().visit(options);
  const page = await visitor.open(path);
  await signIn(page);
  return [visitor, page];
};

const enter = async (page: Page, code: string): Promise<void> => {
  await page.getByLabel('The code that your device shows').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
};

const stateOf = async (deviceCode: string): Promise<string | number> => {
  const { status, text } = await device.poll(deviceCode);
  return status === 200 ? 200 : JSON.parse(text).error;
};

test('a wrong code is told, the right one allowed, without scripts', async () => {
  const { device_code, user_code, verification_uri } = await device.newCodes();
  const [visitor, page] = await visit(verification_uri, { javaScriptEnabled: false });
  await enter(page, 'BBBB-BBBB');
  await page.getByRole('alert').getByText('This code is wrong').waitFor();
  await visitor.expectFault(/status of 400/);
  await enter(page, user_code.toLowerCase().replace('-', ' '));
  await page.getByText(`your device shows the code ${user_code}`).waitFor();
  expect(await stateOf(device_code)).toBe('authorization_pending');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Your device is connected' }).waitFor();
  expect(await stateOf(device_code)).toBe(200);
});

test('the address with the code leads to the question, which may be denied', async () => {
  const { device_code, verification_uri_complete } = await device.newCodes();
  const [, page] = await visit(verification_uri_complete);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'No access was granted' }).waitFor();
  expect(await stateOf(device_code)).toBe('access_denied');
});

describe.each<[string, BrowserContextOptions]>([
  ['day', { colorScheme: 'light' }],
  ['night', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ['large-text', { viewport: { width: 320, height: 256 } }],
])('by %s', (when, options) => {
  test('every page is in order and fits', async () => {
    const { user_code, verification_uri } = await device.newCodes();
    const [visitor, page] = await visit(verification_uri, options);
    const fits = async (name: string): Promise<void> => {
      await visitor.picture(page, `${name}-${when}`);
      await expectAccessible(page);
      await expectToFit(page);
    };
    await page.locator('[name=user_code]').waitFor();
    await fits('device');
    await enter(page, 'wrong');
    await page.getByRole('alert').waitFor();
    await visitor.expectFault(/status of 400/);
    await fits('device-wrong');
    await enter(page, user_code);
    await page.locator('[value=allow]').waitFor();
    await fits('device-consent');
    await page.locator('[value=allow]').click();
    await page.getByText('You can close this page.').waitFor();
    await fits('device-connected');
  });
});
