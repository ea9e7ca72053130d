/** Values that are neither object nor array: their types, and enums as literals. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Scalar } from './schema-source';
import { quoteText } from './type-text';

/**
 * The type and format of a value: what the schema's parts say, else what the enclosing schema says, so that
 * `{type: integer, format: int64, anyOf: [{maximum: 5}, {minimum: 11}]}` is of one type throughout.
 */
export const mergeScalar = (
  parts: readonly OpenAPIV3.SchemaObject[],
  enclosing: Scalar | undefined,
): Scalar => ({
  type: parts.map(({ type }) => type).find(isScalarType) ?? enclosing?.type,
  format: parts.find(({ format }) => format !== undefined)?.format ?? enclosing?.format,
});

const isScalarType = (
  type: OpenAPIV3.SchemaObject['type'],
): type is OpenAPIV3.NonArraySchemaObjectType =>
  type !== undefined && type !== 'array' && type !== 'object';

/** int64 is `bigint`, binary `Uint8Array`. */
export const printScalar = (scalar: Scalar | undefined): string => {
  const { type, format } = scalar ?? {};
  if (type === 'string') return format === 'binary' ? 'Uint8Array' : 'string';
  if (type === 'integer') return format === 'int64' ? 'bigint' : 'number';
  return type ?? 'unknown';
};

/** One literal per value of the enum that fits the type; null is left to `nullable`. */
export const printLiterals = (
  schema: OpenAPIV3.SchemaObject,
  scalar: Scalar | undefined,
): string[] =>
  (schema.enum ?? []).flatMap((value: unknown) =>
    !scalar?.type || fits[scalar.type]?.(value) ? printLiteral(value, scalar) : [],
  );

const printLiteral = (value: unknown, scalar: Scalar | undefined): string[] => {
  if (typeof value === 'string') return [quoteText(value)];
  if (typeof value === 'number' || typeof value === 'bigint') {
    const isBigint = printScalar(scalar) === 'bigint';
    return [isBigint ? `${BigInt(value)}n` : String(value)];
  }
  return typeof value === 'boolean' || value === null ? [String(value)] : [];
};

const isInteger = (value: unknown): boolean => Number.isInteger(value) || typeof value === 'bigint';

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  integer: isInteger,
  boolean: (value) => typeof value === 'boolean',
};
