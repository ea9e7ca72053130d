/** What the loader has to say against a parameter: combinations that OpenAPI leaves undefined. */

import type { Parameter, ParameterLocation, ParameterStyle } from '../document/model/operation';

// OAS 3.0.3, Style Values.
const stylesOf: Record<ParameterLocation, readonly ParameterStyle[]> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** One sentence for each thing wrong with the parameter by itself; empty for a good one. */
export const parameterErrors = (parameter: Parameter): string[] => {
  const { name, in: location, style, explode } = parameter;
  const errors: string[] = [];
  if (!stylesOf[location].includes(style)) {
    errors.push(`The style ${style} of parameter ${name} is not defined in ${location}.`);
  }
  if ((style === 'spaceDelimited' || style === 'pipeDelimited') && explode) {
    errors.push(`The style ${style} of parameter ${name} is not defined with explode: true.`);
  }
  if (parameter.allowEmptyValue && location !== 'query') {
    errors.push(`allowEmptyValue of parameter ${name} has no meaning in ${location}.`);
  }
  return errors;
};
