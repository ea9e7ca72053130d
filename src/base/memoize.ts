/** Memoization. */

/** Gives a function that computes once. A failure is kept as well, so that no other call repeats the work. */
export function lazy<Value>(compute: () => Value): () => Value {
  let done: { readonly value: Value } | { readonly error: unknown } | undefined;
  const run = () => {
    try {
      return { value: compute() };
    } catch (error) {
      return { error };
    }
  };
  return () => {
    done ??= run();
    if ('error' in done) throw done.error;
    return done.value;
  };
}

/** Adds properties to an object, each of which is computed once, when it is first read. */
export function withLate<Own extends object, Late extends object>(
  own: Own,
  late: { readonly [Name in keyof Late]: () => Late[Name] },
): Own & Late {
  for (const [name, compute] of Object.entries<() => unknown>(late)) {
    Object.defineProperty(own, name, { enumerable: true, get: lazy(compute) });
  }
  return own as Own & Late;
}

const isObject = (key: unknown): key is object => typeof key === 'object' && key !== null;

/**
 * Remembers the result for each first argument: for an object as long as that lives, for a text (or another scalar) where
 * there are fewer than `max` already. A failure is tried again.
 *
 * It also keeps the tries of nested unions from multiplying: a union tries one branch after the other; where branches hold
 * unions again, the same inner value would be worked out once for every path that leads to it: exponentially often.
 */
export function memoize<Key, Rest extends unknown[], Result>(
  compute: (key: Key, ...rest: Rest) => Result,
  { max = 0 }: { readonly max?: number } = {},
): (key: Key, ...rest: Rest) => Result {
  // Longer texts are not remembered: callers send them.
  const longestText = 256;
  const byObject = new WeakMap<object, { readonly result: Result }>();
  const byScalar = new Map<unknown, { readonly result: Result }>();
  const isRemembered = (key: unknown): boolean =>
    byScalar.size < max && (typeof key !== 'string' || key.length <= longestText);
  return (key, ...rest) => {
    const known = isObject(key) ? byObject.get(key) : byScalar.get(key);
    if (known !== undefined) return known.result;
    const result = compute(key, ...rest);
    if (isObject(key)) byObject.set(key, { result });
    else if (isRemembered(key)) byScalar.set(key, { result });
    return result;
  };
}

/** Remembers the result for each pair of arguments. */
export function memoizePairs<One, Other, Result>(
  compute: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const options = { max: Number.POSITIVE_INFINITY };
  const ofOne = memoize(
    (one: One) => memoize((other: Other) => compute(one, other), options),
    options,
  );
  return (one, other) => ofOne(one)(other);
}
