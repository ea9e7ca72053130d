/**
 * User names and passwords that are the same are found to be the same, whatever keyboard they came from (RFC 8265, PRECIS).
 * No kept package does this. Of the rules of RFC 8264 those of context (appendix A of RFC 5892) and of direction (RFC 5893) are left out:
 * the characters that need a context are refused, and names that mix directions are taken.
 */

/** Maps half-width and full-width forms, and the ideographic space, to the width that they usually have (RFC 8264 section 5.2.1). */
const mapWidth = (text: string): string =>
  text.replace(/[\u3000\uFF01-\uFFEE]/g, (character) => character.normalize('NFKC'));

/** More marks in a row than any language has (UAX #15, Stream-Safe Text Format): to order them takes time by the square. */
const manyMarks = /\p{M}{31}/u;

/** Composes a text (NFC); one with too many marks in a row stays as it is. */
export const composed = (text: string): string =>
  manyMarks.test(text) ? text : text.normalize('NFC');

/** RFC 8264 section 4.2.2 (IdentifierClass): letters, marks and digits of all scripts, and visible ASCII. */
const identifier = /^[\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\x21-\x7E]+$/u;

/** RFC 8264 sections 9.6, 9.9 and 9.13: invisible characters, old Hangul jamos, and characters that look like other letters. */
const disallowed =
  /[\p{Default_Ignorable_Code_Point}\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB\u0640\u07FA\u302E\u302F\u3031-\u3035\u303B]/u;

const isIdentifier = (text: string): boolean =>
  identifier.test(text) &&
  !disallowed.test(text) &&
  !manyMarks.test(text) &&
  text.normalize('NFKC') === text;

/** Says why a text is not a user name (RFC 8265 section 3), as the end of a sentence about the name; undefined where it is one. */
export const userNameProblem = (name: string): string | undefined => {
  if (name === '') return 'must not be empty';
  const text = composed(mapWidth(name));
  if (text.startsWith(' ') || text.endsWith(' ')) return 'must not begin or end with a blank';
  return text.split(/ +/).every(isIdentifier)
    ? undefined
    : 'must be made of letters, digits and visible ASCII characters, with blanks between them at most';
};

/**
 * Normalizes a user name: names that differ in widths, cases, compositions or numbers of blanks are equal (RFC 8265 section
 * 3.3.4). Takes any text, also one that is not a user name.
 */
export const comparableUserName = (name: string): string =>
  composed(mapWidth(name).toLowerCase()).trim().replaceAll(/ +/g, ' ');

/** Normalizes a password for hashing, whatever keyboard it was typed on (RFC 8265 section 4.2.2). */
export const opaqueString = (password: string): string =>
  composed(password.replaceAll(/\p{Zs}/gu, ' '));
