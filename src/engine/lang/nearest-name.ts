/** Finds the name that somebody probably meant. */

/** How many single-character changes make one word of the other (Levenshtein). */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (const [left, otherLetter] of [...other].entries()) {
      const replaced = (row[left] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

/** Of the known names the one that differs by a slip or two, upper and lower case aside; undefined where none does. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > 64) return undefined;
  const most = name.length > 4 ? 2 : 1;
  const distances = known.map((one) => distance(name.toLowerCase(), one.toLowerCase()));
  const least = Math.min(most + 1, ...distances);
  return least > most ? undefined : known[distances.indexOf(least)];
};
