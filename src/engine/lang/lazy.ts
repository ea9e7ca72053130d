/** Works a value out at its first use. */

/** Gives a function that computes once. A failure is remembered as well, so that no later call repeats the work. */
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
