/** Integers as JSON writes them (RFC 8259 section 6): no plus, no hexadecimal, no blanks, no leading zeros. */

const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** The digits that a double always holds; BigInt takes ever longer for more. */
const MOST_DIGITS = 308;

/** Reads an integer exactly: number where it is safe, else bigint; undefined where the text is not an integer. */
export function readInteger(text: string): number | bigint | undefined {
  if (text.length > MOST_DIGITS || !INTEGER.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
