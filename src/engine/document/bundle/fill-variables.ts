/** Puts values in the place of `{NAME}` in a definition's texts. */

type Variables = Readonly<Record<string, string>>;

/** A text with its variables filled in. */
export const fillText = (text: string, variables: Variables): string =>
  Object.entries(variables).reduce(
    (filling, [name, value]) => filling.replaceAll(`{${name}}`, () => value),
    text,
  );

const fillMember = (holder: object, key: string, text: string, variables: Variables): void => {
  const filled = fillText(text, variables);
  if (filled !== text) Reflect.set(holder, key, filled);
};

/** Fills every text in; the definition is changed in place. */
export const fillVariables = (definition: object, variables: Variables): void => {
  const reached = new Set<unknown>([definition]);
  // A set that grows while it is walked is walked to its end.
  for (const holder of reached) {
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'string') fillMember(holder, key, value, variables);
      else reached.add(value);
    }
  }
};
