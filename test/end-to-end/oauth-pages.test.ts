/** The pages of the authorization server: what protects them, whom they speak to, and forms that are not theirs. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { knexClients } from '../../src/storage/identity/clients';
import {
  authorizeTarget,
  backAt,
  goodPassword,
  shopUri,
  signInOn,
  tokenRequest,
  useShop,
} from '../support/authorize';
import { fieldsOf, type Visited } from '../support/browser';

const { services, browse } = useShop({ TRUSTED_PROXIES: '1' });

const target = authorizeTarget(tokenRequest);

/** One of each: sign-in, refused sign-in, consent, and what went wrong. */
const allPages = async (
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<'signIn' | 'refused' | 'consent' | 'fault', Visited>>> => {
  const browser = browse();
  const signIn = await browser.open(target, headers);
  const fields = { username: 'demo', password: 'wrong' };
  const refused = await browser.press(signIn, { button: 'sign-in', fields }, headers);
  await signInOn(browser, signIn);
  const consent = await browser.open(target, headers);
  const fault = await browser.open('/petstore/oauth/authorize', headers);
  return { signIn, refused, consent, fault };
};

const styleOf = (html: string): string => /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';

describe('every page', () => {
  test('leads on to the documentation, where there is nothing to fill in', async () => {
    const { fault } = await allPages();
    const { origin } = services();
    expect(fault.text).toContain(`<a href="${origin}/petstore/docs/">`);
  });

  test('is kept from frames, caches, scripts and foreign styles, and tells nobody where it was', async () => {
    for (const [name, page] of Object.entries(await allPages())) {
      const hash = createHash('sha256').update(styleOf(page.text)).digest('base64');
      const forms = name === 'fault' ? "'none'" : "'self' https://shop.example";
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
      expect(page.text).not.toMatch(/<script|\son\w+=|\sstyle=|<link|<img|\ssrc=/);
    }
  });

  test('names client and service, and whatever they are called is text', async () => {
    const { signIn, consent } = await allPages();
    for (const { text } of [signIn, consent]) {
      expect(text).toContain('Anna &amp; &lt;b&gt;Bert&lt;/b&gt;’s shop');
      expect(text).toMatch(/<p class="service">Pet ?store[^<]*<\/p>/i);
      expect(text).not.toContain('<b>Bert');
    }
    expect(consent.text).toContain('<li><span>read your pets</span> <code>read:pets</code></li>');
    expect(consent.text).toContain('<b>shop.example</b>');
    expect(consent.text).toContain('Access ends after 1 hour.');
  });

  test.each<[string | undefined, string, string]>([
    [undefined, 'en', 'Sign in'],
    ['fr', 'fr', 'Connexion'],
    ['fr-CA, en;q=0.5', 'fr', 'Connexion'],
    ['de, fr;q=0.3, en;q=0.2', 'fr', 'Connexion'],
    ['en-GB, fr;q=0.9', 'en', 'Sign in'],
    ['de', 'en', 'Sign in'],
    ['*', 'en', 'Sign in'],
    [';;,=', 'en', 'Sign in'],
  ])('speaks to %s in %s', async (accept, language, title) => {
    const headers: Readonly<Record<string, string>> =
      accept === undefined ? {} : { 'Accept-Language': accept };
    const pages = await allPages(headers);
    for (const page of Object.values(pages)) {
      expect(page.headers['content-language']).toBe(language);
      expect(page.text).toContain(`<html lang="${language}">`);
    }
    expect(pages.signIn.text).toContain(`<h1>${title}</h1>`);
  });

  test('can be filled in by password managers, and labels what is typed', async () => {
    const { signIn, refused } = await allPages();
    for (const { text } of [signIn, refused]) {
      expect(text).toMatch(
        /<label for="username">[^<]+<\/label>\n<input id="username" [^>]*autocomplete="username"/,
      );
      expect(text).toMatch(
        /<label for="password">[^<]+<\/label>\n<input id="password" [^>]*type="password" autocomplete="current-password"/,
      );
    }
    expect(signIn.text).toMatch(/<title>Sign in – /);
    expect(refused.text).toMatch(/<title>Error: Sign in – /);
    expect(fieldsOf(refused.text)).toMatchObject({ username: 'demo', password: '' });
  });

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['on this machine', {}, false],
    ['by this machine’s name', { Host: 'localhost:8080' }, false],
    ['by IPv6', { Host: '[::1]:8080' }, false],
    ['over TLS', { Host: 'api.example', 'X-Forwarded-Proto': 'https' }, false],
    ['over the network without TLS', { Host: 'api.example' }, true],
    ['by a name that begins like this machine’s', { Host: 'localhost.example' }, true],
    ['by an address that begins like this machine’s', { Host: '127.0.0.1.example' }, true],
  ])('%s warns where passwords can be read on their way', async (_, headers, warns) => {
    const page = await browse().open(target, headers);
    expect(page.text.includes('This connection is not encrypted')).toBe(warns);
  });

  test('answers HEAD as GET, and no other method', async () => {
    const { ask } = services();
    const head = await ask(`HEAD ${target}`);
    expect([head.status, head.text, head.headers['x-frame-options']]).toEqual([200, '', 'DENY']);
    const put = await ask(`PUT ${target}`);
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    const options = await ask(`OPTIONS ${target}`);
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, POST']);
  });
});

describe('the cookies', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['without TLS', {}, ''],
    ['with TLS', { 'X-Forwarded-Proto': 'https' }, ' Secure;'],
  ])('%s go to the pages alone, and scripts do not see them', async (_, headers, secure) => {
    const browser = browse();
    const page = await browser.open(target, headers);
    const signedIn = await browser.press(
      page,
      { button: 'sign-in', fields: goodPassword },
      headers,
    );
    const attributes = `Path=/petstore/oauth; HttpOnly;${secure} SameSite=Lax`;
    expect(page.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^authorization-form=[\\w-]{43}; ${attributes}$`)),
    ]);
    expect(signedIn.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^authorization=[\\w-]{43}; ${attributes}$`)),
    ]);
  });
});

describe('a form that is not ours', () => {
  /** Expects that nobody was signed in and nothing was granted. */
  const expectNothing = async (page: Visited, status: number): Promise<void> => {
    expect([page.status, page.headers.location]).toEqual([status, undefined]);
    const kept = await services().db.knex('tokens').whereNotNull('client').select();
    expect(kept).toEqual([]);
    const cookies = page.headers['set-cookie'] ?? [];
    expect(cookies.filter((cookie) => cookie.startsWith('authorization='))).toEqual([]);
  };

  test.each<[string, Readonly<Record<string, string>>]>([
    ['no token', { form_token: '' }],
    ['a token that is made up', { form_token: 'x'.repeat(64) }],
  ])('does nothing with %s', async (_, fields) => {
    const browser = browse();
    const page = await browser.open(target);
    const refused = await browser.press(page, {
      button: 'sign-in',
      fields: { ...goodPassword, ...fields },
    });
    await expectNothing(refused, 403);
    expect(refused.text).toContain('This form has expired.');
    const consent = await signInOn(browser, refused);
    for (const button of ['allow', 'deny', 'switch']) {
      await expectNothing(await browser.press(consent, { button, fields }), 403);
    }
    backAt(await browser.press(consent, { button: 'allow' }), shopUri, '#');
  });

  test('does nothing with the token of somebody else’s form', async () => {
    const [mine, theirs] = [browse(), browse()];
    const [page, foreign] = [await mine.open(target), await theirs.open(target)];
    const form_token = fieldsOf(foreign.text)['form_token'] ?? '';
    const fields = { ...goodPassword, form_token };
    await expectNothing(await mine.press(page, { button: 'sign-in', fields }), 403);
    const consent = await signInOn(mine, page);
    const other = await signInOn(theirs, foreign);
    const stolen = { form_token: fieldsOf(other.text)['form_token'] ?? '' };
    await expectNothing(await mine.press(consent, { button: 'allow', fields: stolen }), 403);
  });

  test('does nothing with the token of another form of the same browser', async () => {
    const browser = browse();
    const page = await browser.open(target);
    const consent = await signInOn(browser, page);
    const form_token = fieldsOf(page.text)['form_token'] ?? '';
    await expectNothing(
      await browser.press(consent, { button: 'allow', fields: { form_token } }),
      403,
    );
    const other = authorizeTarget({ ...tokenRequest, scope: 'write:pets' });
    const moved = { ...consent, target: other };
    await expectNothing(await browser.press(moved, { button: 'allow' }), 403);
  });

  test('does nothing without cookies', async () => {
    const page = await browse().open(target);
    const fields = { ...goodPassword, ...fieldsOf(page.text), ...goodPassword };
    await expectNothing(await browse().press(page, { button: 'sign-in', fields }), 403);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
  ])('does nothing from %s', async (_, headers) => {
    const browser = browse();
    const page = await browser.open(target);
    const pressed = { button: 'sign-in', fields: goodPassword };
    const refused = await browser.press(page, pressed, headers);
    await expectNothing(refused, 403);
    expect(refused.text).toContain('The form was sent from another site');
  });

  test('does nothing from another origin, where the browser says no more', async () => {
    const browser = browse();
    const { text } = await browser.open(target);
    const cookies = Object.entries(browser.cookiesFor('/petstore/oauth/authorize'));
    const body = new URLSearchParams({ ...fieldsOf(text), ...goodPassword, action: 'sign-in' });
    const post = (Origin: string) =>
      services().ask(`POST ${target}`, {
        type: 'application/x-www-form-urlencoded',
        body: body.toString(),
        headers: { Origin, Cookie: cookies.map((pair) => pair.join('=')).join('; ') },
      });
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1']) {
      expect((await post(origin)).status).toBe(403);
    }
    expect((await post(services().origin)).status).toBe(303);
    expect((await post('null')).status).toBe(303);
  });

  test.each<[string, string | undefined, string]>([
    ['no form', 'application/json', '{}'],
    ['nothing', undefined, ''],
    ['a damaged form', 'application/x-www-form-urlencoded', 'action=allow&x=%zz'],
    ['no action', 'application/x-www-form-urlencoded', 'username=demo'],
    ['two actions', 'application/x-www-form-urlencoded', 'action=allow&action=allow'],
    ['an unknown action', 'application/x-www-form-urlencoded', 'action=__proto__'],
  ])('is %s', async (_, type, body) => {
    const page = await services().ask(`POST ${target}`, { type, body });
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    expect(page.text).toContain('The form is not valid');
  });

  test('is longer than any of ours', async () => {
    const page = await services().ask(`POST ${target}`, {
      type: 'application/x-www-form-urlencoded',
      body: `action=sign-in&password=${'x'.repeat(20_000)}`,
    });
    expect([page.status, page.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
  });
});

describe('where the answer goes', () => {
  test.each<[string, string, string]>([
    ['an IPv6 address', 'http://[::1]/back', 'http:'],
    ['a port', 'http://127.0.0.1:3000/back', 'http://127.0.0.1:3000'],
  ])('the form may lead to %s', async (_, redirect_uri, source) => {
    const client = { clientId: 'app', name: 'App', redirectUris: [redirect_uri] };
    await knexClients(services().db, 'petstore').add(client);
    const page = await browse().open(
      authorizeTarget({ ...tokenRequest, client_id: 'app', redirect_uri }),
    );
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${source};`);
  });
});
