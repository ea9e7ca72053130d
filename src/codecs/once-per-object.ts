/** Keeps the tries of nested unions from multiplying. */

/**
 * Remembers the result for each object. A union tries one branch after the other; where branches hold unions again, the
 * same inner value would be worked out once for every path that leads to it: exponentially often.
 */
export function oncePerObject<Given, Rest extends unknown[]>(
  compute: (given: Given, ...rest: Rest) => unknown,
): (given: Given, ...rest: Rest) => unknown {
  const results = new WeakMap<object, { readonly result: unknown }>();
  return (given, ...rest) => {
    if (typeof given !== 'object' || given === null) return compute(given, ...rest);
    const known = results.get(given);
    if (known) return known.result;
    const result = compute(given, ...rest);
    results.set(given, { result });
    return result;
  };
}
