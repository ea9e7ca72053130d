/** Finds the name that a misspelt one probably means. */

/**
 * Counts the slips that make one word of the other (Levenshtein): a letter added, left out or replaced, or two swapped.
 * @param most more are not counted to their end
 */
const distance = (one: string, other: string, most: number): number => {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let above = 0; above < one.length; above += 1) {
    const next = [above + 1];
    for (let left = 0; left < other.length; left += 1) {
      const isSame = one[above] === other[left];
      const isSwapped = one[above] === other[left - 1] && one[above - 1] === other[left];
      const ways = [
        (row[left] ?? 0) + Number(!isSame),
        (row[left + 1] ?? 0) + 1,
        (next[left] ?? 0) + 1,
      ];
      next.push(Math.min(...ways, ...(isSwapped ? [(before[left - 1] ?? 0) + 1] : [])));
    }
    [before, row] = [row, next];
    if (Math.min(...before, ...row) > most) break;
  }
  return row[other.length] ?? 0;
};

/** Finds the known name that differs by a slip or two, upper and lower case aside; undefined where none does. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > 64) return undefined;
  const most = name.length > 4 ? 2 : 1;
  // A name that is longer or shorter by more takes more slips.
  const alike = known.filter((candidate) => Math.abs(candidate.length - name.length) <= most);
  const distances = alike.map((candidate) =>
    distance(name.toLowerCase(), candidate.toLowerCase(), most),
  );
  const least = Math.min(most + 1, ...distances);
  return least > most ? undefined : alike[distances.indexOf(least)];
};

/** Returns the question for a known name at the end of a sentence about another one; nothing where none is near. */
export const suggestion = (name: string, known: readonly string[]): string => {
  // Of shorter names too many are near.
  const near = name.length < 3 ? undefined : nearestName(name, known);
  return near === undefined || near === name ? '' : `: did you mean ${JSON.stringify(near)}?`;
};

/**
 * Throws where a name is none of those that are known, so that a slip has an effect at once.
 * @param what the things are, in a sentence such as `There is no option docz`
 */
export const requireKnownNames = (
  given: Iterable<string>,
  known: readonly string[],
  what: string,
): void => {
  for (const name of given) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    const advice = near === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${near}?`;
    throw new TypeError(`There is no ${what} ${name}. ${advice}`);
  }
};
