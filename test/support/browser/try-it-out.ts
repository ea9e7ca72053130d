/** The actions on the page that tries operations out. */

import type { Locator, Page, Request } from 'playwright-core';
import type { Visitor } from './visitor';

/** The response of an operation, as the page shows it and as it was sent. */
export interface Shown {
  readonly request: Request;
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
      return { request: response.request(), status, text: await response.text() };
    },
  };
};

const dialogOf = (page: Page): Locator =>
  page.locator('.dialog-ux').filter({ hasText: 'Available authorizations' });

/** Opens the dialog of credentials. */
export const openDialog = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  return dialogOf(page);
};

/** Asks for access; the authorization server's page opens in a window of its own. */
export const askForAccess = async (visitor: Visitor, page: Page): Promise<Page> => {
  const dialog = await openDialog(page);
  return visitor.popup(page, () =>
    dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
  );
};

/** Waits until the dialog has closed by itself, as it does after success. */
export const dialogToClose = async (page: Page): Promise<void> =>
  dialogOf(page).waitFor({ state: 'detached' });

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

/** Signs in and allows, from the closed dialog to the closed dialog. */
export const authorize = async (visitor: Visitor, page: Page): Promise<void> => {
  const popup = await askForAccess(visitor, page);
  await signIn(popup);
  await decide(popup, 'Allow');
  await dialogToClose(page);
};
