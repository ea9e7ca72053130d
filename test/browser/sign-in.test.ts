/** Signing in where there is no mouse, no script, or little room. */

import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectAccessible, expectToFit } from '../support/browser/accessibility';
import { useBrowser } from '../support/browser/browser';
import { signIn } from '../support/browser/try-it-out';
import type { Visitor } from '../support/browser/visitor';

const story = useBrowser();

const request = (): string => {
  const query = new URLSearchParams({
    response_type: 'token',
    client_id: 'docs',
    redirect_uri: `${story().services.origin}/petstore/docs/oauth2-redirect.html`,
    scope: 'read:pets write:pets',
    state: 'as it was',
  });
  return `/petstore/oauth/authorize?${query}`;
};

const visit = async (options?: BrowserContextOptions): Promise<[Visitor, Page]> => {
  const visitor = await story().visit(options);
  return [visitor, await visitor.open(request())];
};

/** Reads the parameters of the client from the fragment, which no server sees. */
const given = (page: Page): URLSearchParams =>
  new URLSearchParams(new URL(page.url()).hash.slice(1));

test('it works without scripts', async () => {
  const [, page] = await visit({ javaScriptEnabled: false });
  await signIn(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/oauth2-redirect\.html#/);
  const answer = given(page);
  expect([answer.get('state'), answer.get('token_type')]).toEqual(['as it was', 'Bearer']);
  const token = answer.get('access_token') ?? '';
  const { status } = await story().services.ask('GET /petstore/pet/findByStatus', { token });
  expect(status).toBe(200);
});

test('it works by keyboard alone', async () => {
  // Without scripts, because the page that it leads to would close the window.
  const [, page] = await visit({ javaScriptEnabled: false });
  const { keyboard } = page;
  // The browser moves the focus there after it has loaded the page.
  await page.locator('[name=username]:focus').waitFor();
  await keyboard.type('demo');
  await keyboard.press('Tab');
  await keyboard.type('demo-password');
  await keyboard.press('Enter');
  const allow = page.getByRole('button', { name: 'Allow' });
  await allow.waitFor();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await page.waitForURL(/oauth2-redirect\.html#/);
  expect(given(page).get('access_token')).toMatch(/^[\w-]{43}$/);
});

describe.each<[string, BrowserContextOptions]>([
  ['day', { colorScheme: 'light' }],
  ['night', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ['large-text', { viewport: { width: 320, height: 256 } }],
  ['french-night', { colorScheme: 'dark', locale: 'fr-CA' }],
])('by %s', (when, options) => {
  test('every page is in order and fits', async () => {
    const [visitor, page] = await visit(options);
    const fits = async (name: string): Promise<void> => {
      await visitor.picture(page, `${name}-${when}`);
      await expectAccessible(page);
      await expectToFit(page);
    };
    await fits('sign-in');
    await page.locator('[name=username]').fill('demo');
    await page.locator('[name=password]').fill('wrong');
    await page.locator('[value=sign-in]').click();
    await page.getByRole('alert').waitFor();
    await visitor.expectFault(/status of 4\d\d/);
    await fits('sign-in-wrong');
    await page.locator('[name=password]').fill('demo-password');
    await page.locator('[value=sign-in]').click();
    await page.locator('[value=allow]').waitFor();
    await fits('consent');
  });
});
