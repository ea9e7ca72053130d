/** Path templates and path parameters match each other, and no two templates are the same (OAS 3.0.3, Paths Object). */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerOf } from '../../../lang/json-pointer';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { Operation } from '../../model/operation';
import { resolveParameters } from '../../model/resolve-parameter';
import { errorOf, type Rule, type RuleContext, warningOf } from '../rule';

const templateNames = (path: string): string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');

const declaredNames = (
  { path, method }: Operation,
  { definition, references }: RuleContext,
): readonly string[] => {
  const pathItem = references.follow<OpenAPIV3.PathItemObject>(definition.paths[path] ?? {});
  const own = pathItem[method as OpenAPIV3.HttpMethods] ?? { responses: {} };
  return resolveParameters(pathItem, own, references)
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => name);
};

const parameterErrors = (operation: Operation, context: RuleContext): UnplacedDiagnostic[] => {
  const inTemplate = new Set(templateNames(operation.path));
  const declared = declaredNames(operation, context);
  const pointer = pointerOf(['paths', operation.path, operation.method]);
  return [
    ...[...inTemplate]
      .filter((name) => !declared.includes(name))
      .map(
        (name) =>
          `The template names {${name}}, but no path parameter of that name is declared. Declare it.`,
      ),
    ...declared
      .filter((name) => !inTemplate.has(name))
      .map(
        (name) =>
          `The path parameter ${name} does not stand in the template, and is left out. Write {${name}} into the path, or remove the parameter.`,
      ),
  ].map((message) => errorOf('path-parameter')(pointer, message));
};

const templateError = (path: string): string | undefined => {
  if (/[?#]/.test(path)) {
    return 'A path holds neither ? nor #, and this one is never reached. Describe what follows as query parameters.';
  }
  return /[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, ''))
    ? 'The template has a brace without its partner, or nothing between two. Write names as {name}.'
    : undefined;
};

const templateErrors = (path: string): UnplacedDiagnostic[] => {
  const message = templateError(path);
  return message === undefined
    ? []
    : [errorOf('path-template')(pointerOf(['paths', path]), message, true)];
};

/** OAS 3.0 says nothing of a name that is repeated. */
const repeatedNames = (path: string): UnplacedDiagnostic[] => {
  const names = templateNames(path);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return [];
  const message = `The template names {${repeated}} more than once, and the last one is used. Rename one of them.`;
  return [warningOf('path-template')(pointerOf(['paths', path]), message, true)];
};

/** Names of one segment that servers find without trying many places. */
const FEW_NAMES = 2;

const segmentWarning = (segment: string): string | undefined => {
  if (/\}\{/.test(segment)) {
    return `Nothing in ${segment} tells where one name ends and the next begins: all but the last take one character. Write text between them.`;
  }
  return templateNames(segment).length > FEW_NAMES
    ? `The segment ${segment} has more than ${FEW_NAMES} names: servers that match it by an expression try each place for each of them. Write a slash between some.`
    : undefined;
};

const segmentWarnings = (path: string): UnplacedDiagnostic[] =>
  path.split('/').flatMap((segment) => {
    const message = segmentWarning(segment);
    if (message === undefined) return [];
    return [warningOf('ambiguous-template')(pointerOf(['paths', path]), message, true)];
  });

const identicalTemplates = (paths: readonly string[]): UnplacedDiagnostic[] => {
  const first = new Map<string, string>();
  return paths.flatMap((path) => {
    const form = path.replaceAll(/\{[^{}]+\}/g, '{}');
    const earlier = first.get(form);
    first.set(form, earlier ?? path);
    if (earlier === undefined) return [];
    const message = `The template matches the same paths as ${earlier}, and is not served. Move its operations there.`;
    return [errorOf('identical-paths')(pointerOf(['paths', path]), message)];
  });
};

export const pathTemplates: Rule = (context) => {
  const { definition, operations } = context;
  const paths = Object.keys(definition.paths).filter((path) => path.startsWith('/'));
  return [
    ...operations
      .filter((operation) => operation.invalidReason === undefined)
      .flatMap((operation) => parameterErrors(operation, context)),
    ...paths.flatMap(templateErrors),
    ...paths.flatMap(repeatedNames),
    ...paths.flatMap(segmentWarnings),
    ...identicalTemplates(paths),
  ];
};
