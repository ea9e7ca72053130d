/** Trying operations out in a browser: refused as a stranger, let in by a sign-in, a key or a session. */

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible, expectToFit } from '../support/browser/accessibility';
import { useBrowser } from '../support/browser/browser';
import {
  askForAccess,
  authorize,
  closeDialog,
  decide,
  dialogToClose,
  type OpenOperation,
  openDialog,
  signIn,
  tryOut,
} from '../support/browser/try-it-out';
import type { Visitor } from '../support/browser/visitor';

let passed = 0;
const story = useBrowser({}, () => Date.now() + passed);
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  passed = 0;
  await story().services.reset();
  visitor = await story().visit();
  page = await visitor.open('/petstore/docs/');
});

const refusedToStrangers = /status of 401/;

describe('access', () => {
  test('is refused to a stranger, and granted after signing in', async () => {
    const find = await tryOut(page, 'pet', 'findPetsByStatus');
    const refused = await find.execute();
    expect([refused.status, JSON.parse(refused.text).type]).toEqual([401, 'unauthenticated']);
    await visitor.expectFault(refusedToStrangers);

    const popup = await askForAccess(visitor, page);
    await visitor.picture(page, 'authorize');
    await signIn(popup, 'wrong');
    await popup
      .getByRole('alert')
      .filter({ hasText: 'The username or the password is wrong.' })
      .waitFor();
    await visitor.picture(popup, 'sign-in-wrong');
    await expectAccessible(popup);
    await visitor.expectFault(/status of 4\d\d/);
    await signIn(popup);
    await popup.getByRole('button', { name: 'Allow' }).waitFor();
    await visitor.picture(popup, 'consent');
    await expectAccessible(popup);
    await decide(popup, 'Allow');
    await dialogToClose(page);

    const found = await find.execute();
    expect(found.status).toBe(200);
    expect(JSON.parse(found.text)).toHaveLength(5);
    await visitor.picture(page, 'found');
  });

  test('can be denied, and asked for again', async () => {
    const popup = await askForAccess(visitor, page);
    await signIn(popup);
    await decide(popup, 'Deny');
    await page
      .getByText(/access_denied/)
      .first()
      .waitFor();
    await visitor.picture(page, 'denied');
    await closeDialog(page);
    await expectToFit(page);
    const find = await tryOut(page, 'pet', 'findPetsByStatus');
    expect((await find.execute()).status).toBe(401);
    await visitor.expectFault(refusedToStrangers);

    // The browser is signed in by now, and decides anew (RFC 9700 section 4.8.1 asks for no less).
    const again = await askForAccess(visitor, page);
    await again.getByText('Signed in as').waitFor();
    await decide(again, 'Allow');
    await dialogToClose(page);
    expect((await find.execute()).status).toBe(200);
  });

  test('is not asked for by whoever turns back', async () => {
    const popup = await askForAccess(visitor, page);
    await decide(popup, 'Cancel');
    await page
      .getByText(/access_denied/)
      .first()
      .waitFor();
  });

  test('ends with its token', async () => {
    await authorize(visitor, page);
    const find = await tryOut(page, 'pet', 'findPetsByStatus');
    expect((await find.execute()).status).toBe(200);
    passed = 3_600_000;
    expect((await find.execute()).status).toBe(401);
    await visitor.expectFault(refusedToStrangers);
  });

  test('is explained from the top, with the demo credentials, and comes with a key, too', async () => {
    const dialog = await openDialog(page);
    await dialog.getByText('Demo login: demo with the password demo-password').waitFor();
    await dialog.getByText('Demo key: special-key').waitFor();
    expect(await page.evaluate('document.querySelector(".modal-ux-content").scrollTop')).toBe(0);
    await expectToFit(page);

    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByLabel('Value:').fill('special-key');
    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await dialogToClose(page);
    const count = await tryOut(page, 'store', 'getInventory');
    expect(JSON.parse((await count.execute()).text)).toMatchObject({ available: 5 });
  });

  test('comes with a login, until it ends', async () => {
    const login = await tryOut(page, 'user', 'loginUser');
    expect((await login.execute()).status).toBe(200);
    const create = await tryOut(page, 'user', 'createUser');
    expect((await create.execute()).status).toBe(200);
    const logout = await tryOut(page, 'user', 'logoutUser');
    expect((await logout.execute()).status).toBe(200);
    expect((await create.execute()).status).toBe(401);
    await visitor.expectFault(refusedToStrangers);
  });
});

describe('with access', () => {
  beforeEach(() => authorize(visitor, page));

  /** Adds a pet of the form as it stands in a media type. */
  const addIn = async (add: OpenOperation, type: string): Promise<void> => {
    await add.form.getByLabel('Request content type').selectOption(type);
    const added = await add.execute();
    expect([added.status, added.text]).toEqual([200, added.text]);
    const { id } = JSON.parse(added.text);
    const { status, text } = await story().services.ask(`GET /petstore/pet/${id}`, {
      key: 'special-key',
    });
    expect([status, JSON.parse(text)]).toEqual([200, JSON.parse(added.text)]);
    await visitor.picture(page, `add-${type.replaceAll('/', '-')}`);
  };

  test('a pet is added in XML and JSON, with every digit', async () => {
    const add = await tryOut(page, 'pet', 'addPet');
    await addIn(add, 'application/xml');
    await addIn(add, 'application/json');
    const pet = '{"id": 9223372036854775807, "name": "Max", "photoUrls": []}';
    await add.form.getByRole('tabpanel').getByRole('textbox').fill(pet);
    expect((await add.execute()).text).toContain('"id":9223372036854775807');
    await add.form.getByText('"id": 9223372036854775807').first().waitFor();
  });

  test('a pet is added by a form', async () => {
    await addIn(await tryOut(page, 'pet', 'addPet'), 'application/x-www-form-urlencoded');
  });

  test('pets of several statuses are asked for in the media type that is shown', async () => {
    const find = await tryOut(page, 'pet', 'findPetsByStatus');
    const acceptOf = async () => (await find.execute()).request.headers()['accept'];
    expect(await acceptOf()).toBe('application/json');
    await find.form.getByLabel('Media Type').first().selectOption('application/xml');
    expect(await acceptOf()).toBe('application/xml');
    await find.form.getByRole('listbox').selectOption(['available', 'sold']);
    const { request, status } = await find.execute();
    expect([new URL(request.url()).searchParams.get('status'), status]).toEqual([
      'available,sold',
      200,
    ]);
  });

  test('an image is uploaded, and can be seen', async () => {
    const upload = await tryOut(page, 'pet', 'uploadFile');
    const png = readFileSync('test/browser/paw.png');
    const file = { name: 'paw.png', mimeType: 'image/png', buffer: png };
    await upload.form.locator('input[type=file]').setInputFiles(file);
    const uploaded = await upload.execute();
    expect([uploaded.status, JSON.parse(uploaded.text).type]).toEqual([200, 'image/png']);

    const get = await tryOut(page, 'pet', 'getPetById');
    const { photoUrls } = JSON.parse((await get.execute()).text);
    const image = await visitor.open(photoUrls.at(-1));
    const size = await image.evaluate(
      '[document.images[0].naturalWidth, document.images[0].naturalHeight]',
    );
    expect(size).toEqual([png.readUInt32BE(16), png.readUInt32BE(20)]);
    await visitor.picture(image, 'image');
  });
});
