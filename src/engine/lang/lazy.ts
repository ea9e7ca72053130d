/** Works a value out at its first use. */

/** Gives a function that computes once; where that throws, the next call tries again. */
export function lazy<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
