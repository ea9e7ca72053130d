/** Writes HTML: whatever is put into a template is escaped, unless it is HTML itself. */

/** HTML, safe to be put into a page. */
export interface Html {
  readonly markup: string;
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => references[character] ?? character);

/** What a template takes; undefined is nothing. */
export type Part = string | Html | readonly Html[] | undefined;

const isList = (part: Html | readonly Html[]): part is readonly Html[] => Array.isArray(part);

const write = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeHtml(part);
  return isList(part) ? part.map(({ markup }) => markup).join('') : part.markup;
};

/** A template's tag: html`<p>${text}</p>`. Attributes must stand in quotes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: texts.map((text, at) => text + write(parts[at])).join(''),
});
