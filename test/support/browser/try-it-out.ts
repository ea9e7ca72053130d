/** What somebody does on the page that tries operations out. */

import type { Locator, Page } from 'playwright-core';
import type { Visitor } from './visitor';

/** What an operation answered, as the page shows it and as it came. */
export interface Shown {
  readonly status: number;
  readonly text: string;
}

/** An operation whose form is open. */
export interface OpenOperation {
  readonly form: Locator;
  /** Sends the form, and waits until the answer is shown. */
  execute(): Promise<Shown>;
}

/** Opens an operation's form. */
export const tryOut = async (
  page: Page,
  tag: string,
  operationId: string,
): Promise<OpenOperation> => {
  const form = page.locator(`#operations-${tag}-${operationId}`);
  await form.getByRole('button', { expanded: false }).first().click();
  await form.getByRole('button', { name: 'Try it out' }).click();
  return {
    form,
    async execute() {
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.request().resourceType() === 'fetch'),
        form.getByRole('button', { name: 'Execute' }).click(),
      ]);
      const status = response.status();
      await form.getByRole('row', { name: new RegExp(`^${status} .*Response headers`) }).waitFor();
      return { status, text: await response.text() };
    },
  };
};

const dialogOf = (page: Page): Locator =>
  page.locator('.dialog-ux').filter({ hasText: 'Available authorizations' });

/** Asks for access; the authorization server's page opens in a window of its own. */
export const askForAccess = async (visitor: Visitor, page: Page): Promise<Page> => {
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  return visitor.popup(page, () =>
    dialogOf(page).getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
  );
};

/** Closes the dialog, whatever it says. */
export const closeDialog = async (page: Page): Promise<void> => {
  await dialogOf(page).getByRole('button', { name: 'Close' }).first().click();
};

/** Fills in the sign-in page; its labels come from its language. */
export const signIn = async (
  popup: Page,
  password = 'demo-password',
  labels = { username: 'Username', password: 'Password', signIn: 'Sign in' },
): Promise<void> => {
  await popup.getByLabel(labels.username).fill('demo');
  await popup.getByLabel(labels.password).fill(password);
  await popup.getByRole('button', { name: labels.signIn }).click();
};

/** Presses the button that ends the matter; the window goes by itself. */
export const decide = async (popup: Page, button: string): Promise<void> => {
  await Promise.all([
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: button, exact: true }).click(),
  ]);
};

/** From the closed dialog to the closed dialog: signs in and allows. */
export const authorize = async (visitor: Visitor, page: Page): Promise<void> => {
  const popup = await askForAccess(visitor, page);
  await signIn(popup);
  await decide(popup, 'Allow');
  await dialogOf(page).getByRole('button', { name: 'Remove authorization' }).waitFor();
  await closeDialog(page);
};
