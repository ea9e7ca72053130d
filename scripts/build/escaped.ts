/** A program's text in ASCII: V8 keeps it in half the memory then, and reads it in a fifth of the time. */

// A backslash before it would make the escape another character's, and String.raw would see the escape.
const unsafe = /\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/;

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes what esbuild leaves: in comments, regular expressions and tagged templates. The text stays as it is where an escape
 * would not mean the same.
 */
export const escaped = (text: string): string =>
  unsafe.test(text) ? text : text.replaceAll(/[^\0-\x7f]/g, escapeOf);
