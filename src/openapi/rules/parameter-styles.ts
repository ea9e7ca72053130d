/** Parameters have a style that is defined for their place (OAS 3.0.3, Style Values). */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerOf } from '../json-pointer';
import type { Operation, Parameter } from '../operation';
import { parameterProblems } from '../parameters/parameter-problems';
import { type Rule, type RuleContext, warningOf } from './rule';

/** Where a parameter stands: with the operation, which overrides the path item. */
const stepsOf = (
  { definition, references }: RuleContext,
  { path, method }: Operation,
  parameter: Parameter,
): (string | number)[] => {
  const pathItem = references.follow<OpenAPIV3.PathItemObject>(definition.paths[path] ?? {});
  const indexIn = (list: OpenAPIV3.PathItemObject['parameters'] = []): number =>
    list.findLastIndex((entry) => {
      const { name, in: location } = references.follow<OpenAPIV3.ParameterObject>(entry);
      return name === parameter.name && location === parameter.in;
    });
  const own = indexIn(pathItem[method as OpenAPIV3.HttpMethods]?.parameters);
  return own < 0
    ? ['paths', path, 'parameters', indexIn(pathItem.parameters)]
    : ['paths', path, method, 'parameters', own];
};

const finding = warningOf('parameter-style');

export const parameterStyles: Rule = (context) =>
  context.operations.flatMap((operation) =>
    operation.parameters.flatMap((parameter) =>
      parameterProblems(parameter).map((message) =>
        finding(
          pointerOf(stepsOf(context, operation, parameter)),
          `${message} Choose one that the specification defines there.`,
        ),
      ),
    ),
  );
