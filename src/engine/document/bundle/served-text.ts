/** The text of a document as it is served: the author's own where nothing was brought in from elsewhere. */

import { stringify } from 'yaml';
import type { Bundle } from './bundle';

type Variables = Readonly<Record<string, string>>;

/** A text with its variables filled in. */
const fillText = (text: string, variables: Variables): string =>
  Object.entries(variables).reduce(
    (filling, [name, value]) => filling.replaceAll(`{${name}}`, () => value),
    text,
  );

const fillMember = (holder: object, key: string, text: string, variables: Variables): void => {
  const filled = fillText(text, variables);
  if (filled !== text) Reflect.set(holder, key, filled);
};

/** Fills every text in; the definition is changed in place. */
const fillVariables = (definition: object, variables: Variables): void => {
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

/** Fills the variables in, in the definition too, and gives the document as YAML. */
export const servedText = (
  text: string,
  { definition, changed }: Bundle,
  variables: Readonly<Record<string, string>>,
): string => {
  if (Object.keys(variables).length > 0) fillVariables(definition, variables);
  // A part that stands in several places is written out in each: not every reader of YAML knows aliases.
  return changed
    ? stringify(definition, { aliasDuplicateObjects: false, lineWidth: 0 })
    : fillText(text, variables);
};
