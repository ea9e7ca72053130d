/** Lists in header fields (RFC 9110 section 5.6.1). */

/** Returns the elements of a field that is a list of tokens; empty ones do not count. */
export const listElements = (field: string): readonly string[] =>
  field
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
