/** Cuts texts that a message repeats. */

/** A message repeats this much of a value. */
const mostCharacters = 40;

/** Cuts a text: returns it, or its beginning and `…`. */
export const cutText = (text: string): string =>
  text.length <= mostCharacters
    ? text
    : `${[...text.slice(0, 2 * mostCharacters)].slice(0, mostCharacters).join('')}…`;
