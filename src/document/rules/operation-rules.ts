/** Rules on paths and operations: they can be served, distinguished, and found by their path. */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerOf } from '../../base/json-pointer';
import { isPlainObject, ownText } from '../../base/plain-object';
import { nearestName } from '../../base/text/nearest-name';
import type { Operation } from '../../model/operation';
import { errorOf, type UnplacedDiagnostic, warningOf } from '../diagnostics/diagnostic';
import { operationIn, ownDate, pathItemFields } from '../read/read-operations';
import { templateForm, templateNames } from '../read/templates';
import { type CheckObject, type Rule, type RuleContext, repeated, ruleOf } from './rule';

const servedOperations: Rule = ({ operations, definition, structure: { types } }) => {
  if (operations.some(({ invalidReason }) => invalidReason === undefined)) return [];
  if (operations.length > 0) {
    const message =
      'No operation can be served, and every request is answered 501. Correct the errors reported for them.';
    return [errorOf('nothing-served')('/paths', message, true)];
  }
  // From OAS 3.1 on a document may be of webhooks or components alone (section 4.8.1).
  const { requiredTogether = [] } = types.OpenAPI;
  const others = requiredTogether.filter((field) => field !== 'paths');
  if (others.some((field) => Object.hasOwn(definition, field))) return [];
  const message =
    'The document has no operation, and every request is answered 404. Add one under `paths`.';
  return [warningOf('nothing-served')('/paths', message, true)];
};

/** OAS 3.0.3, OpenAPI Object. */
const uniqueTags: Rule = ({ definition: { tags = [] } }) =>
  repeated(tags, ({ name }) => name).map(({ index, name }) => {
    const message = `Duplicate tag ${name}. Remove one of the two.`;
    return errorOf('tag')(`/tags/${index}`, message);
  });

const circlesIn = (parents: ReadonlyMap<string, string | undefined>): ReadonlySet<string> => {
  const done = new Set<string>();
  const circles = [...parents.keys()].flatMap((name) => {
    // Goes up to a tag without a parent, or to one that was there before.
    const way: string[] = [];
    let next: string | undefined = name;
    for (; next !== undefined && !done.has(next); next = parents.get(next)) {
      way.push(next);
      done.add(next);
    }
    const start = way.indexOf(next ?? '');
    return start < 0 ? [] : way.slice(start);
  });
  return new Set(circles);
};

/** Reports parents that are no tags, and circles of parents (OAS 3.2.0, Tag Object). */
const nestedTags: Rule = ({ objects, structure: { types } }) => {
  if (!Object.hasOwn(types.Tag.fields, 'parent')) return [];
  const tags = objects.flatMap(({ name, value, pointer }) =>
    name === 'Tag' && typeof value['name'] === 'string'
      ? [{ name: value['name'], parent: ownText(value, 'parent'), pointer: `${pointer}/parent` }]
      : [],
  );
  const parents = new Map(tags.map(({ name, parent }) => [name, parent]));
  const circles = circlesIn(parents);
  return tags.flatMap(({ name, parent, pointer }) => {
    if (parent === undefined) return [];
    const error = errorOf('tag');
    if (circles.has(name)) {
      return error(pointer, `The tag ${name} is nested under itself. Name another parent.`);
    }
    const message = `The parent ${parent} of the tag ${name} is not declared. Add it to \`tags\`.`;
    return parents.has(parent) ? [] : error(pointer, message);
  });
};

/** Ids are case-sensitive (OAS 3.0.3, Operation Object). */
const uniqueOperationIds: Rule = ({ operations, webhooks }) =>
  repeated([...operations, ...webhooks], ({ operationId }) => operationId).map(
    ({ entry, name }) => {
      const message = `Duplicate operationId ${name}; only the first operation is served. Rename this one.`;
      return errorOf('operation-id')(`${entry.pointer}/operationId`, message);
    },
  );

const checkDeprecation: CheckObject = ({ value, pointer }) => {
  const since = ownDate(value, 'x-deprecated-since');
  return ['x-deprecated-since', 'x-sunset'].flatMap((name) => {
    if (!Object.hasOwn(value, name)) return [];
    const warning = (message: string) => [warningOf('deprecation')(`${pointer}/${name}`, message)];
    const date = ownDate(value, name);
    if (date === undefined) {
      return warning(`\`${name}\` is no date, and is ignored. Write one such as 2027-06-30.`);
    }
    if (value['deprecated'] !== true) {
      return warning(
        `\`${name}\` is of an operation that is not deprecated. Add \`deprecated: true\`.`,
      );
    }
    if (since === undefined || date >= since) return [];
    return warning('`x-sunset` is before `x-deprecated-since`. Correct one of the two.');
  });
};

/** Warns of an `x-mcp` that says nothing. */
const checkMcp: CheckObject = ({ value, pointer }) => {
  const mcp = value['x-mcp'];
  const says = ([name, text]: [string, unknown]) =>
    (name === 'name' || name === 'description') && typeof text === 'string';
  if (mcp === undefined || typeof mcp === 'boolean') return [];
  if (isPlainObject(mcp) && Object.entries(mcp).every(says)) return [];
  const message =
    '`x-mcp` is not as it must be, and is ignored. Write `false`, or a `name` and a `description`.';
  return [warningOf('mcp')(`${pointer}/x-mcp`, message)];
};

/** Reports repeated parameters: name and location are their identity (OAS 3.0.3, Operation Object). */
const checkParameters: CheckObject = ({ value: { parameters }, pointer }, { references }) =>
  repeated<unknown>(Array.isArray(parameters) ? parameters : [], (entry) => {
    const parameter: unknown = isPlainObject(entry) ? references.find(entry) : undefined;
    if (!isPlainObject(parameter)) return undefined;
    const { name, in: location } = parameter;
    // Header names are case-insensitive (RFC 9110 section 5.1).
    return `${String(location)} parameter ${location === 'header' ? String(name).toLowerCase() : String(name)}`;
  }).map(({ index, name }) => {
    const message = `Duplicate ${name}; the last one is used. Remove one of the two.`;
    return errorOf('repeated-parameter')(`${pointer}/parameters/${index}`, message);
  });

/** Lists the path parameters of an operation with the pointers to their names; the operation's own override those of its path. */
const declaredParameters = (
  { path, method }: Operation,
  { definition, references }: RuleContext,
): ReadonlyMap<string, string> => {
  const place = pointerOf(['paths', path]);
  const fields = pathItemFields(definition.paths[path] ?? {}, place, references);
  const at = (entries: unknown, pointer = '') =>
    (Array.isArray(entries) ? entries : []).flatMap((entry, index): [string, string][] => {
      const { name, in: location } = references.follow<OpenAPIV3.ParameterObject>(entry);
      return location === 'path' ? [[name, `${pointer}/${index}/name`]] : [];
    });
  const shared = fields.get('parameters');
  const own = operationIn(fields, method);
  return new Map([
    ...at(shared?.value, shared?.pointer),
    ...at(own?.value.parameters, own && `${own.pointer}/parameters`),
  ]);
};

const parameterErrors = (operation: Operation, context: RuleContext): UnplacedDiagnostic[] => {
  const error = errorOf('path-parameter');
  const inTemplate = templateNames(operation.path);
  const declared = declaredParameters(operation, context);
  const missing = [...new Set(inTemplate)].filter((name) => !declared.has(name));
  return [
    ...missing.map((name) => {
      const message = `The template has {${name}}, but no path parameter of that name. Declare it.`;
      return error(operation.pointer, message);
    }),
    ...[...declared].flatMap(([name, pointer]) => {
      if (inTemplate.includes(name)) return [];
      const meant = nearestName(name, missing);
      const advice = meant
        ? `Did you mean ${meant}?`
        : `Write {${name}} into the path, or remove the parameter.`;
      const message = `The path parameter ${name} is not in the template, and is ignored. ${advice}`;
      return [error(pointer, message)];
    }),
  ];
};

const templateErrors = (path: string): UnplacedDiagnostic[] => {
  const isUnmatched = /[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, ''));
  const message = /[?#]/.test(path)
    ? 'A path cannot contain ? or #, and this one is never reached. Declare query parameters instead.'
    : isUnmatched && 'The template has unmatched or empty braces. Write names as {name}.';
  return message ? [errorOf('path-template')(pointerOf(['paths', path]), message, true)] : [];
};

/** Warns of a repeated name, about which OAS 3.0 is silent. */
const repeatedNames = (path: string): UnplacedDiagnostic[] =>
  repeated(templateNames(path), (name) => name)
    .slice(0, 1)
    .map(({ name }) => {
      const message = `The template names {${name}} more than once, and the last one is used. Rename one of them.`;
      return warningOf('path-template')(pointerOf(['paths', path]), message, true);
    });

const segmentWarnings = (path: string): UnplacedDiagnostic[] => {
  // Servers find so many names of one segment without trying many places.
  const fewNames = 2;
  return path.split('/').flatMap((segment) => {
    const isJoined = /\}\{/.test(segment);
    if (!isJoined && templateNames(segment).length <= fewNames) return [];
    const message = isJoined
      ? `Nothing separates the names in ${segment}: all but the first take one character. Write text between them.`
      : `The segment ${segment} has more than ${fewNames} names: servers that match it by a regular expression may be slow. Write a slash between some.`;
    return warningOf('ambiguous-template')(pointerOf(['paths', path]), message, true);
  });
};

const identicalTemplates = (paths: readonly string[]): UnplacedDiagnostic[] => {
  const first = new Map<string, string>();
  return paths.flatMap((path) => {
    const form = templateForm(path);
    const earlier = first.get(form);
    first.set(form, earlier ?? path);
    if (earlier === undefined) return [];
    const message = `The template matches the same paths as ${earlier}, and is not served. Move its operations there.`;
    return [errorOf('identical-paths')(pointerOf(['paths', path]), message)];
  });
};

const pathTemplates: Rule = (context) => {
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

/** The rules on operations, in the order in which their diagnostics are reported. */
export const operationRules: readonly Rule[] = [
  servedOperations,
  uniqueTags,
  nestedTags,
  pathTemplates,
  uniqueOperationIds,
  ruleOf({ PathItem: checkParameters, Operation: checkParameters }),
  ruleOf({ Operation: checkDeprecation }),
  ruleOf({ PathItem: checkMcp, Operation: checkMcp, Tag: checkMcp }),
];
