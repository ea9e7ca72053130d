/** Texts of documents and callers as terminals, logs of CI and messages may show them. */

/** Characters that move the cursor, end a line or turn the direction of writing; a tab does no harm. */
const controlling = /[^\P{Cc}\t]|[\p{Bidi_Control}\u2028\u2029]/gu;

/** Writes the characters that would control a terminal, or begin a line, as `\u{…}`. */
export const printable = (text: string): string =>
  text.replaceAll(controlling, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Cuts a text: returns it, or its beginning and `…`. */
export const cutText = (text: string): string => {
  // A message repeats this much of a value.
  const most = 40;
  return text.length <= most ? text : `${[...text.slice(0, 2 * most)].slice(0, most).join('')}…`;
};
