/** Tells Reference Objects from everything else (OAS 3.0.3, Reference Object). */

/** The `$ref` of a Reference Object; undefined for anything else. */
export const referenceOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
    ? value.$ref
    : undefined;
