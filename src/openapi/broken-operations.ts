/** Finds operations whose schemas cannot be used, so that they alone are out of service. */

import { membersOf, type Role } from './document-objects';
import type { Operation } from './operation';
import { type References, referenceOf, UnresolvableReference } from './references';
import { keywordProblem } from './validation/keyword-problem';

/** Values and what each is; a value is visited once. */
type Reached = Map<object, Role>;

/** Adds what stands directly below a value: the target of its reference, or its members. */
const reachBelow = (value: object, role: Role, reached: Reached, references: References): void => {
  const ref = referenceOf(value);
  const below: readonly (readonly [object, Role])[] =
    ref === undefined
      ? membersOf(value, role).map(([, item, own]) => [item, own])
      : [[references.resolve(ref).schema, role]];
  for (const [item, own] of below) if (!reached.has(item)) reached.set(item, own);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The Header Objects that parts of the operation's body may have (OAS 3.0.3, Encoding Object). */
const partHeaders = ({ requestBody }: Operation): object[] =>
  (requestBody?.content ?? [])
    .flatMap(({ encoding }) => Object.values(encoding))
    .flatMap((entry) => Object.values(entry?.headers ?? {}))
    .filter(isObject);

/** Why one of the schemas, or what holds one, cannot be used; undefined where all can. */
const schemaFault = (
  schemas: readonly object[],
  others: readonly object[],
  references: References,
): string | undefined => {
  const reached: Reached = new Map([
    ...schemas.map((schema) => [schema, 'schema'] as const),
    ...others.map((other) => [other, 'object'] as const),
  ]);
  try {
    // A Map gives what is added during the walk, too.
    for (const [value, role] of reached) {
      const problem = role === 'schema' ? keywordProblem(value) : undefined;
      if (problem !== undefined) return problem;
      reachBelow(value, role, reached, references);
    }
    return undefined;
  } catch (error) {
    if (error instanceof UnresolvableReference) return error.message;
    throw error;
  }
};

/** The operation, marked unusable where one of its schemas cannot be used. */
export const isolateBrokenOperation = (operation: Operation, references: References): Operation => {
  if (operation.unusable !== undefined) return operation;
  const schemas = [
    ...operation.parameters.map((parameter) => parameter.schema),
    ...(operation.requestBody?.content ?? []).map((mediaType) => mediaType.schema),
    ...operation.responses.flatMap((response) => [
      ...response.headers.map((header) => header.schema),
      ...response.content.map((mediaType) => mediaType.schema),
    ]),
  ].filter(isObject);
  return { ...operation, unusable: schemaFault(schemas, partHeaders(operation), references) };
};
