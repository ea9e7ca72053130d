/** A visitor who reads French publishes an advertisement. */

import { expect, test } from '@jest/globals';
import { expectAccessible } from '../support/browser/accessibility';
import { useBrowser } from '../support/browser/browser';
import { askForAccess, decide, dialogToClose, signIn, tryOut } from '../support/browser/try-it-out';

const story = useBrowser();

test('an ad is published in French, after signing in on French pages', async () => {
  const visitor = await story().visit({ locale: 'fr-FR' });
  const page = await visitor.open('/ads/docs/');
  const add = await tryOut(page, 'ad', 'addAd');
  expect((await add.execute()).status).toBe(401);
  await visitor.expectFault(/status of 401/);

  const popup = await askForAccess(visitor, page);
  await popup.getByRole('heading', { level: 1, name: 'Connexion' }).waitFor();
  expect(await popup.locator('html').getAttribute('lang')).toBe('fr');
  await visitor.picture(popup, 'sign-in-french');
  await expectAccessible(popup);
  const labels = {
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    signIn: 'Se connecter',
  };
  await signIn(popup, 'demo-password', labels);
  await popup.getByRole('button', { name: 'Autoriser' }).waitFor();
  await visitor.picture(popup, 'consent-french');
  await expectAccessible(popup);
  await decide(popup, 'Autoriser');
  await dialogToClose(page);

  const added = await add.execute();
  expect(added.status).toBe(200);
  expect(JSON.parse(added.text)).toMatchObject({ propertyType: 'À la vente' });
  await visitor.picture(page, 'ad');
});
