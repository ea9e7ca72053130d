/** Links to addresses that a document names: only those that lead somewhere and run nothing. */

import { html, type Part } from '../../html/html';

const harmless = /^(https?:|mailto:)/i;

/** The text, linked where the address may be. */
export const link = (address: string | undefined, text: string): Part =>
  address !== undefined && harmless.test(address) ? html`<a href="${address}">${text}</a>` : text;
