/** Parameters say where they are and what they hold, in one way (OAS 3.0.3, Parameter Object). */

import type { OpenAPIV3 } from 'openapi-types';
import { isPlainObject } from '../../../../base/plain-object';
import type { SchemaFields } from '../../../schema/schema-parts';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { Parameter, ParameterLocation, ParameterStyle } from '../../model/operation';
import { isIgnoredHeader, isLocation, resolveParameter } from '../../model/resolve-parameter';
import { type References, referenceOf } from '../../references/references';
import { errorOf, ruleOf, warningOf } from '../rule';

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

const error = errorOf('parameter');
const ignored = warningOf('ignored-parameter');

const contentErrors = (
  parameter: SchemaFields,
  pointer: string,
  noun: string,
): UnplacedDiagnostic[] => {
  const { schema, content } = parameter;
  if (!isPlainObject(content)) {
    const message = `Give this ${noun} a \`schema\` or a \`content\`; until then any value is taken, and none is checked.`;
    return schema === undefined ? [error(pointer, message)] : [];
  }
  if (schema !== undefined) {
    const message =
      'Remove `schema` or `content`: there must be one of them, and `schema` is used.';
    return [error(`${pointer}/content`, message, true)];
  }
  const types = Object.keys(content);
  if (types.length === 1) return [];
  const message =
    types.length === 0
      ? 'Write one media type into `content`; until then any value is taken.'
      : `Leave one media type in \`content\`: there must be one alone, and ${types[0]} is used.`;
  return [error(`${pointer}/content`, message)];
};

const locationErrors = (location: unknown, pointer: string): UnplacedDiagnostic[] => {
  if (location === undefined || isLocation(location)) return [];
  const advice =
    location === 'body' || location === 'formData'
      ? 'Describe it by the `requestBody` of the operation.'
      : 'Write path, query, header or cookie.';
  return [error(`${pointer}/in`, `No parameter can be in ${String(location)}. ${advice}`)];
};

const parameterDiagnostics = (parameter: SchemaFields, pointer: string): UnplacedDiagnostic[] => {
  const { name, in: location, required } = parameter;
  const found = [
    ...locationErrors(location, pointer),
    ...(isLocation(location) ? contentErrors(parameter, pointer, 'parameter') : []),
  ];
  if (location === 'path' && required !== true) {
    found.push(error(pointer, 'Add `required: true`; a path parameter is always there.'));
  }
  if (location === 'header' && typeof name === 'string' && isIgnoredHeader(name)) {
    const message = `A header parameter called ${name} is ignored. Use \`security\`, \`requestBody\` or \`responses\` for what it says.`;
    found.push(ignored(pointer, message));
  }
  return found;
};

const styleErrors = (
  parameter: OpenAPIV3.ParameterBaseObject,
  name: string,
  location: ParameterLocation,
  references: References,
): readonly string[] => {
  try {
    return parameterErrors(resolveParameter(name, location, parameter, references));
  } catch {
    // Another rule reports a parameter that cannot be read.
    return [];
  }
};

export const parameterObjects = ruleOf({
  Header: ({ value, pointer }) =>
    referenceOf(value) === undefined ? contentErrors(value, pointer, 'header') : [],
  Parameter: ({ value, pointer }) =>
    referenceOf(value) === undefined ? parameterDiagnostics(value, pointer) : [],
});

/** Styles are defined for the parameter's location (OAS 3.0.3, Style Values). */
export const parameterStyles = ruleOf({
  Parameter: ({ value, pointer }, { references }) => {
    const { name, in: location } = value;
    if (typeof name !== 'string' || !isLocation(location)) return [];
    return styleErrors(value, name, location, references).map((message) =>
      warningOf('parameter-style')(
        pointer,
        `${message} Leave it out, or choose what the specification defines there.`,
      ),
    );
  },
});
