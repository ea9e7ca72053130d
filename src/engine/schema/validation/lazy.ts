/** Work that is done at the first call only. */

/** Makes a value at the first call. A failure is kept as well, so that no later call repeats the work. */
export const lazy = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | { readonly error: unknown } | undefined;
  const attempt = () => {
    try {
      return { value: make() };
    } catch (error) {
      return { error };
    }
  };
  return () => {
    made ??= attempt();
    if ('error' in made) throw made.error;
    return made.value;
  };
};
