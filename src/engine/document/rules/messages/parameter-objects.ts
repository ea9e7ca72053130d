/** Parameters say where they are and what they hold, in one way (OAS 3.0.3, Parameter Object). */

import { isFields, type SchemaFields } from '../../../schema/validation/checks/schema-fields';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { isIgnoredHeader, isLocation } from '../../model/resolve-parameter';
import { referenceOf } from '../../references/reference-of';
import { errorOf, type Rule, warningOf } from '../rule';

const error = errorOf('parameter');
const ignored = warningOf('ignored-parameter');

const contentFindings = (
  parameter: SchemaFields,
  pointer: string,
  noun: string,
): UnplacedDiagnostic[] => {
  const { schema, content } = parameter;
  if (!isFields(content)) {
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

const placeFinding = (location: unknown, pointer: string): UnplacedDiagnostic[] => {
  if (location === undefined || isLocation(location)) return [];
  const advice =
    location === 'body' || location === 'formData'
      ? 'Describe it by the `requestBody` of the operation.'
      : 'Write path, query, header or cookie.';
  return [error(`${pointer}/in`, `No parameter can be in ${String(location)}. ${advice}`)];
};

const parameterFindings = (parameter: SchemaFields, pointer: string): UnplacedDiagnostic[] => {
  const { name, in: location, required } = parameter;
  const findings = [
    ...placeFinding(location, pointer),
    ...(isLocation(location) ? contentFindings(parameter, pointer, 'parameter') : []),
  ];
  if (location === 'path' && required !== true) {
    findings.push(error(pointer, 'Add `required: true`; a path parameter is always there.'));
  }
  if (location === 'header' && typeof name === 'string' && isIgnoredHeader(name)) {
    const message = `A header parameter called ${name} is ignored. Use \`security\`, \`requestBody\` or \`responses\` for what it says.`;
    findings.push(ignored(pointer, message));
  }
  return findings;
};

export const parameterObjects: Rule = ({ objects }) =>
  objects.flatMap(({ value, pointer, name }) => {
    if (!isFields(value) || referenceOf(value) !== undefined) return [];
    if (name === 'Header') return contentFindings(value, pointer, 'header');
    return name === 'Parameter' ? parameterFindings(value, pointer) : [];
  });
