/** Authorization requests of a registered client, and what comes back to it. */

import { beforeEach, expect } from '@jest/globals';
import { knexClients } from '../../src/storage/identity/clients';
import { type Browser, openBrowser, type Visited } from './browser';
import { useServices } from './services';

/** A client that the tests register. */
export const shop = {
  clientId: 'shop',
  name: 'Anna & <b>Bert</b>’s shop',
  redirectUris: ['https://shop.example/back?from=here'],
};

export const noon = Date.UTC(2030, 0, 1, 12);

/** The services of a file whose time a test sets; each test begins at noon, with the shop registered. */
export const useShop = (environment: Readonly<Record<string, string>>) => {
  const clock = { now: noon };
  const services = useServices(environment, () => clock.now);
  beforeEach(async () => {
    clock.now = noon;
    await services().reset();
    for (const service of ['petstore', 'ads']) await knexClients(services().db, service).add(shop);
  });
  return { services, clock, browse: () => openBrowser(services().ask) };
};

/** The address to which the shop is sent back. */
export const shopUri = shop.redirectUris[0] ?? '';

/** The parameters of a request for a token. */
export const tokenRequest = {
  response_type: 'token',
  client_id: shop.clientId,
  redirect_uri: shopUri,
  scope: 'read:pets',
  state: 'a b&c=é',
};

/** The target of an authorization request; a parameter that is undefined is left out. */
export const authorizeTarget = (
  parameters: Readonly<Record<string, string | undefined>>,
  service = 'petstore',
): string => {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `/${service}/oauth/authorize?${new URLSearchParams(given)}`;
};

export const goodPassword = { username: 'demo', password: 'demo-password' };

/** Signs in on the page; resolves to the page that asks for consent. */
export const signInOn = async (browser: Browser, page: Visited): Promise<Visited> => {
  const redirect = await browser.press(page, { button: 'sign-in', fields: goodPassword });
  expect([redirect.status, redirect.headers.location]).toEqual([
    303,
    `?${page.target.split('?')[1]}`,
  ]);
  const consent = await browser.follow(redirect);
  expect(consent.status).toBe(200);
  return consent;
};

/** Goes through sign-in and consent; resolves to the redirect to the client. */
export const grantAll = async (browser: Browser, target: string): Promise<Visited> => {
  const page = await browser.open(target);
  expect(page.status).toBe(200);
  const consent = page.text.includes('name="password"') ? await signInOn(browser, page) : page;
  return browser.press(consent, { button: 'allow' });
};

/** Reads the response to the client: the redirect URI, and the parameters after `#` or `?`. */
export const backAt = (
  { status, headers }: Visited,
  redirectUri: string,
  mark: '#' | '?' | '&',
): Readonly<Record<string, string>> => {
  const { location = '' } = headers;
  expect([status, location.slice(0, redirectUri.length + 1)]).toEqual([303, redirectUri + mark]);
  return Object.fromEntries(new URLSearchParams(location.slice(redirectUri.length + 1)));
};
