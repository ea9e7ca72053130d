/** The documentation page that the package serves: it fits and is read by everyone, finds operations, and sends requests. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openApiRouter, parseApiDocument } from '../../src/package';
import { expectAccessible, expectToFit } from '../support/browser/accessibility';
import { useBrowser } from '../support/browser/browser';
import type { Visitor } from '../support/browser/visitor';
import { hostileTexts } from '../support/hostile-texts';
import { listen } from '../support/listen';

const hostile = JSON.stringify(hostileTexts.map(([, text]) => text).join(''));

const text = readFileSync(join(__dirname, 'docs-page.yaml'), 'utf8').replaceAll(
  'HOSTILE',
  () => hostile,
);

async function* endlessTicks(): AsyncGenerator<object> {
  yield { data: 'first' };
  await new Promise(() => undefined);
}

const owner = { username: 'ann', subject: 'user:ann', scopes: ['things:write'], credentialId: 'k' };

const handlers = {
  echo: ({ path, query, header, cookie, body }: Readonly<Record<string, unknown>>) => ({
    status: 200,
    body: {
      ...{ path, query, header, cookie },
      body: body instanceof Uint8Array ? `${body.length} bytes` : body,
    },
  }),
  ticks: () => ({ status: 200, body: endlessTicks() }),
};

const securityHandlers = {
  apiKey: (key: string) => (key === 'k&y' ? owner : undefined),
  basic: ({ username, password }: { readonly username: string; readonly password: string }) =>
    username === 'ann' && password === 'é' ? owner : undefined,
};

let server: Server;
let address = '';
beforeAll(async () => {
  const document = parseApiDocument('things.yaml', text);
  const options = { docs: true, log: { error: () => undefined } };
  server = createServer(await openApiRouter(document, handlers, securityHandlers, options));
  address = `${await listen(server)}/v1/docs/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const story = useBrowser();

/** The page is of another server than the one that the visitor is at home at. */
const openPage = async (options?: BrowserContextOptions): Promise<[Visitor, Page]> => {
  const visitor = await story().visit(options);
  const page = await visitor.open(address);
  await visitor.expectFault(/^outside: /);
  return [visitor, page];
};

const openAll = (page: Page): Promise<unknown> =>
  page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');

describe.each<[string, BrowserContextOptions]>([
  ['day', { colorScheme: 'light', viewport: { width: 1200, height: 900 } }],
  ['night', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }],
])('by %s', (when, options) => {
  test('the page is accessible, and fits folded and unfolded', async () => {
    const [visitor, page] = await openPage(options);
    await expectToFit(page);
    await openAll(page);
    await visitor.picture(page, `docs-page-${when}`);
    await expectAccessible(page);
    await expectToFit(page);
  });
});

test('hostile texts do nothing', async () => {
  const [, page] = await openPage();
  await openAll(page);
  expect(await page.evaluate('typeof hacked')).toBe('undefined');
  expect(await page.locator('script').count()).toBe(1);
});

test('says what an operation asks for, and what it calls back', async () => {
  const [, page] = await openPage();
  await openAll(page);
  const shown = await page.locator('main').innerText();
  for (const part of [
    /Needs key and login with things:write/,
    /limit\s+query\s+integer, at least 1/,
    /name, required\s+string, at most 10 characters/,
    /onSale POST \{\$request\.body#\/url\}\s+It is sold/,
    /Webhooks\s+POST changed\s+It has changed/,
  ]) {
    expect(shown).toMatch(part);
  }
  expect(shown).toContain(`curl '${address.replace(/docs\/$/, 'ticks')}'`);
});

test('finds operations', async () => {
  const [, page] = await openPage();
  const shownIds = () =>
    page.evaluate('[...document.querySelectorAll("section:not([hidden])")].map(({ id }) => id)');
  await page.getByLabel('Search').fill('GET tick');
  expect([await shownIds(), await page.locator('#found').textContent()]).toEqual([
    ['ticks'],
    '1 of 3',
  ]);
  await page.getByLabel('Search').fill('');
  expect(await shownIds()).toEqual(['echo', 'ticks', 'webhook-post changed']);
});

describe('a request', () => {
  const begin = async (): Promise<Page> => {
    const [, page] = await openPage();
    await openAll(page);
    await page.locator('[data-scheme=key]').fill('k&y');
    await page.locator('[data-scheme=login]').fill('ann:é');
    await page.locator('#echo [data-name=id]').fill('a/b?');
    await page.locator('#echo [data-name=points]').fill('1, 2');
    return page;
  };
  /** Sends it, and returns the text of its response. */
  const answer = async (page: Page): Promise<string> => {
    // The script knows of the end before the browser does, which aborts what has not ended when its page is left.
    const ended = page.waitForEvent('requestfinished', (request) =>
      /\/things\//.test(request.url()),
    );
    await page.locator('#echo [data-send]').click();
    const output = page.locator('#echo output');
    await output.filter({ hasText: /\n\n./ }).waitFor();
    await ended;
    await page.locator('#echo [data-send]').filter({ hasText: 'Send' }).waitFor();
    return String(await output.textContent());
  };
  const come = { path: { id: 'a/b?', points: [1, 2] }, query: {}, header: {}, cookie: {} };

  test('carries parameters in their styles', async () => {
    const page = await begin();
    const values = {
      limit: '5',
      colours: 'red, a&b',
      sizes: '1,2',
      filter: '{"year":1999}',
      'X-Trace': 'a=b',
      seen: 'true',
    };
    for (const [name, value] of Object.entries(values)) {
      await page.locator(`#echo [data-name=${name}]`).fill(value);
    }
    const shown = await answer(page);
    expect(shown).toMatch(/^HTTP 200 OK\n(?:[\w-]+: .*\n)*content-type: application\/json\n/);
    expect(JSON.parse(shown.replace(/^[\s\S]*?\n\n/, ''))).toEqual({
      path: come.path,
      query: { limit: 5, colours: ['red', 'a&b'], sizes: [1, 2], filter: { year: 1999 } },
      header: { 'X-Trace': 'a=b' },
      cookie: { seen: true },
      body: { name: 'desk', count: 1 },
    });
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test.each([
    ['application/x-www-form-urlencoded', '{"name":"a&b","count":2}', { name: 'a&b', count: 2 }],
    ['multipart/form-data', '{"name":"é","count":3}', { name: 'é', count: 3 }],
    ['application/json', '{"name":"x","count":9007199254740993}', /"count":9007199254740993/],
  ])('carries a body in %s', async (type, typed, body) => {
    const page = await begin();
    await page.locator('#echo [data-media]').selectOption(type);
    await page.locator(`#echo [data-content="${type}"] textarea`).fill(typed);
    const shown = await answer(page);
    if (body instanceof RegExp) expect(shown).toMatch(body);
    else expect(JSON.parse(shown.replace(/^[\s\S]*?\n\n/, ''))).toEqual({ ...come, body });
  });

  test('carries a file', async () => {
    const page = await begin();
    await page.locator('#echo [data-media]').selectOption('image/png');
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([1, 2, 3]) };
    await page.locator('#echo [data-content="image/png"] input').setInputFiles(file);
    expect(await answer(page)).toContain('"body":"3 bytes"');
  });

  test('that cannot be made is not sent', async () => {
    const page = await begin();
    await page.locator('#echo [data-name=filter]').fill('{');
    await page.locator('#echo [data-send]').click();
    await page.getByText(/^The request was not sent: .*JSON/).waitFor();
  });

  test('of a stream shows what comes, until it is stopped', async () => {
    const [visitor, page] = await openPage();
    await page.locator('#ticks summary').filter({ hasText: 'Try it' }).click();
    await page.locator('#ticks [data-send]').click();
    await page.locator('#ticks output').filter({ hasText: 'data: first' }).waitFor();
    await page.locator('#ticks').getByRole('button', { name: 'Stop' }).click();
    await page.locator('#ticks output').filter({ hasText: '(stopped)' }).waitFor();
    await visitor.expectFault(/\/ticks net::ERR_ABORTED/);
  });
});
