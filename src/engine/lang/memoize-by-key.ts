/** Works a result out once for each object. */

/**
 * Remembers the result for each object, as long as that lives. It keeps the tries of nested unions from multiplying: a union
 * tries one branch after the other; where branches hold unions again, the same inner value would be worked out once for every
 * path that leads to it: exponentially often.
 */
export function memoizeByKey<Given, Rest extends unknown[], Result>(
  compute: (given: Given, ...rest: Rest) => Result,
): (given: Given, ...rest: Rest) => Result {
  const results = new WeakMap<object, { readonly result: Result }>();
  return (given, ...rest) => {
    if (typeof given !== 'object' || given === null) return compute(given, ...rest);
    const known = results.get(given);
    if (known) return known.result;
    const result = compute(given, ...rest);
    results.set(given, { result });
    return result;
  };
}
