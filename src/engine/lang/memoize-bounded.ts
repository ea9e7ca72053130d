/** Remembers what was worked out of a header: most callers send one of a few. */

const mostRemembered = 100;
const longestRemembered = 256;

/** Remembers what the first few texts gave, but not those of somebody who tries many. What throws is tried again. */
export const memoizeBounded = <Result>(
  workOut: (text: string) => Result,
): ((text: string) => Result) => {
  const remembered = new Map<string, { readonly result: Result }>();
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known.result;
    const result = workOut(text);
    if (remembered.size < mostRemembered && text.length <= longestRemembered) {
      remembered.set(text, { result });
    }
    return result;
  };
};
