/** Positions in texts. */

import { lazy } from '../memoize';

/** Line and column, from 1; columns count UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Makes the function that gives the position of an offset. */
export const textPositions = (text: string): ((offset: number) => TextPosition) => {
  const starts = lazy(() => {
    const found = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found.push(at + 1);
    return found;
  });
  return (offset) => {
    let low = 0;
    let high = starts().length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts()[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts()[low] ?? 0) + 1 };
  };
};

/** Describes the position of an offset, for messages. */
export const describePosition = (text: string, offset: number): string => {
  const { line, column } = textPositions(text)(offset);
  return `line ${line}, column ${column}`;
};
