/** The text of a document as it is served: the author's own where nothing was brought in from elsewhere. */

import { type ScalarTag, stringify } from 'yaml';
import { numberText } from '../source/exact-numbers';
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

/** A number as it was written, where no double holds it. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const numberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof NumberText,
  resolve: (text) => new NumberText(text),
  stringify: ({ value }) => (value instanceof NumberText ? value.text : String(value)),
};

function withNumberText(this: unknown, key: unknown, value: unknown): unknown {
  if (typeof value !== 'number' || typeof this !== 'object' || this === null) return value;
  const text = numberText(this, String(key));
  return text === undefined ? value : new NumberText(text);
}

const yamlText = (definition: object): string =>
  stringify(definition, withNumberText, {
    // A part that stands in several places is written out in each: not every reader of YAML knows aliases.
    aliasDuplicateObjects: false,
    lineWidth: 0,
    customTags: (tags) => [...tags, numberTag],
  });

/** Fills the variables in, in the definition too, and gives the document as YAML. */
export const servedText = (
  text: string,
  { definition, changed }: Bundle,
  variables: Readonly<Record<string, string>>,
): string => {
  if (Object.keys(variables).length > 0) fillVariables(definition, variables);
  return changed ? yamlText(definition) : fillText(text, variables);
};
