/** Parameters have a style that is defined for their place (OAS 3.0.3, Style Values). */

import type { OpenAPIV3 } from 'openapi-types';
import { parameterProblems } from '../../../parameters/parameter-problems';
import { isFields } from '../../../schema/validation/checks/schema-fields';
import type { ParameterLocation } from '../../model/operation';
import { isLocation, resolveParameter } from '../../model/resolve-parameter';
import type { References } from '../../references/references';
import { type Rule, warningOf } from '../rule';

const finding = warningOf('parameter-style');

const problemsOf = (
  parameter: OpenAPIV3.ParameterBaseObject,
  name: string,
  location: ParameterLocation,
  references: References,
): readonly string[] => {
  try {
    return parameterProblems(resolveParameter(name, location, parameter, references));
  } catch {
    // A parameter that cannot be read is the finding of another rule.
    return [];
  }
};

export const parameterStyles: Rule = ({ objects, references }) =>
  objects.flatMap(({ value, pointer, name: kind }) => {
    if (kind !== 'Parameter' || !isFields(value)) return [];
    const { name, in: location } = value;
    if (typeof name !== 'string' || !isLocation(location)) return [];
    return problemsOf(value, name, location, references).map((message) =>
      finding(pointer, `${message} Leave it out, or choose what the specification defines there.`),
    );
  });
