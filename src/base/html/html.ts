/** Writes HTML in which every text is escaped unless it is HTML already. */

import { createHash } from 'node:crypto';

/** Text that is HTML; only this module makes it. */
export interface Html {
  readonly html: string;
}

/** A value in a template: text is escaped, false and undefined are nothing. */
export type HtmlPart = string | number | Html | false | undefined | readonly HtmlPart[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for a place between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

const write = (part: HtmlPart): string => {
  if (part === undefined || part === false) return '';
  if (typeof part !== 'object') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map(write).join('');
};

/** A template's tag: html`<p>${text}</p>`. Attributes must stand in quotes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html => ({
  html: strings.map((text, index) => text + write(parts[index])).join(''),
});

/** Takes HTML that is safe already. */
export const trusted = (text: string): Html => ({ html: text });

/** The source expression that allows exactly this inline style or script (section 2.3.1). */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Headers for a page.
 *
 * @param directives - what it may load
 * @param formAction - where its forms may lead to (section 6.4.1)
 */
export const pageHeaders = (
  directives: readonly string[],
  formAction = "'none'",
): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    ...directives,
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
});
