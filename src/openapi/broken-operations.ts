/** Finds operations whose schemas lean on a reference that leads nowhere, so that they alone are out of service. */

import type { Operation } from './operation';
import { type References, referenceOf, UnresolvableReference } from './references';

/** What stands directly below a value: the target of its reference, or its members. */
const below = (value: object, references: References): readonly unknown[] => {
  const ref = referenceOf(value);
  return ref === undefined ? Object.values(value) : [references.resolve(ref).schema];
};

/** The first unresolvable reference that the value leads to; each schema is visited once. */
const brokenReference = (
  root: unknown,
  references: References,
): UnresolvableReference | undefined => {
  const reached = new Set<unknown>([root]);
  try {
    // A Set gives what is added during the walk, too.
    for (const value of reached) {
      if (typeof value !== 'object' || value === null) continue;
      for (const item of below(value, references)) reached.add(item);
    }
    return undefined;
  } catch (error) {
    if (error instanceof UnresolvableReference) return error;
    throw error;
  }
};

/** The operation, marked unusable where one of its schemas cannot be resolved. */
export const isolateBrokenOperation = (operation: Operation, references: References): Operation => {
  const schemas = [
    ...operation.parameters.map((parameter) => parameter.schema),
    ...(operation.requestBody?.content ?? []).map((mediaType) => mediaType.schema),
    ...operation.responses.flatMap((response) => [
      ...response.headers.map((header) => header.schema),
      ...response.content.map((mediaType) => mediaType.schema),
    ]),
  ];
  const broken = brokenReference(schemas, references);
  return broken === undefined || operation.unusable !== undefined
    ? operation
    : { ...operation, unusable: broken.message };
};
