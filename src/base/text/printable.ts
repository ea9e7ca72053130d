/** Text of documents as terminals and logs of CI may show it. */

/** Characters that move the cursor, end a line or turn the direction of writing; a tab does no harm. */
const controlling = /[^\P{Cc}\t]|[\p{Bidi_Control}\u2028\u2029]/gu;

/** Writes the characters that would control a terminal, or begin a line, as `\u{…}`. */
export const printable = (text: string): string =>
  text.replaceAll(controlling, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
