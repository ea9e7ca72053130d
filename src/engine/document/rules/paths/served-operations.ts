/** Operations can be served and told apart: what is not served is reported at the start, so that nobody has to find out by calling it. */

import { pointerOf } from '../../../../base/json-pointer';
import { isPlainObject } from '../../../../base/plain-object';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { References } from '../../references/references';
import type { DocumentObject } from '../../structure/positions';
import { errorOf, type Rule, type RuleContext, ruleOf, warningOf } from '../rule';

export const servedOperations: Rule = ({ operations }) =>
  operations.some(({ invalidReason }) => invalidReason === undefined)
    ? []
    : [
        // Paths may be empty (OAS 3.0.3, Paths Object).
        operations.length === 0
          ? warningOf('nothing-served')(
              '/paths',
              'The document has no operation, and every request is answered 404. Add one under `paths`.',
              true,
            )
          : errorOf('nothing-served')(
              '/paths',
              'None of the operations can be served, and every request is answered 501. Put right what is reported of them.',
              true,
            ),
      ];

/** The entries whose name an earlier one has; what has no name is passed over. */
const repeated = <Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string | undefined,
): readonly { readonly entry: Entry; readonly index: number; readonly name: string }[] => {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const name = nameOf(entry);
    if (name === undefined) return [];
    return seen.size < seen.add(name).size ? [] : [{ entry, index, name }];
  });
};

/** OAS 3.0.3, OpenAPI Object. */
export const uniqueTags: Rule = ({ definition: { tags = [] } }) =>
  repeated(tags, ({ name }) => name).map(({ index, name }) => {
    const message = `The tag ${name} is declared more than once. Remove one of the two.`;
    return errorOf('tag')(`/tags/${index}`, message);
  });

/** Ids are case-sensitive (OAS 3.0.3, Operation Object). */
export const uniqueOperationIds: Rule = ({ operations }) =>
  repeated(operations, ({ operationId }) => operationId).map(({ entry, name }) => {
    const message = `Duplicate operationId ${name}; only the first operation is served. Rename this one.`;
    const pointer = pointerOf(['paths', entry.path, entry.method, 'operationId']);
    return errorOf('operation-id')(pointer, message);
  });

/** What identifies a parameter, in words. */
const parameterName = (entry: unknown, references: References): string | undefined => {
  const parameter: unknown = isPlainObject(entry) ? references.find(entry) : undefined;
  if (!isPlainObject(parameter)) return undefined;
  const { name, in: location } = parameter;
  // Header names are case-insensitive (RFC 9110 section 5.1).
  return `${String(location)} parameter ${location === 'header' ? String(name).toLowerCase() : String(name)}`;
};

/** A parameter's name and location are its identity (OAS 3.0.3, Operation Object). */
const checkParameters = (
  { value: { parameters }, pointer }: DocumentObject,
  { references }: RuleContext,
): UnplacedDiagnostic[] =>
  repeated<unknown>(Array.isArray(parameters) ? parameters : [], (entry) =>
    parameterName(entry, references),
  ).map(({ index, name }) => {
    const message = `The ${name} stands twice in this list, and the last one is used. Remove one of them.`;
    return errorOf('repeated-parameter')(`${pointer}/parameters/${index}`, message);
  });

/** A parameter's name and location are its identity (OAS 3.0.3, Operation Object). */
export const uniqueParameters = ruleOf({ PathItem: checkParameters, Operation: checkParameters });
