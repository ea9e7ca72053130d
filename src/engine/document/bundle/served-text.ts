/** The text of a document as it is served: the author's own where nothing was brought in from elsewhere. */

import { stringify } from 'yaml';
import type { Bundle } from './bundle';
import { fillText, fillVariables } from './fill-variables';

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
