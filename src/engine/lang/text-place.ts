/** Where in a text something is, for messages and for JSON Pointers. */

/** Line and column of an offset, both from 1; columns count UTF-16 units. */
export function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return `line ${line}, column ${column}`;
}

/** A JSON Pointer (RFC 6901) one step further. */
export const pointerTo = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
