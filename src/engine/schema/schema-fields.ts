/** Reads keywords out of a Schema Object without trusting their types: the document is data like any other. */

import { isPlainObject, type PlainObject } from '../lang/plain-object';

/** A schema that cannot be enforced, so that a wrong rule is never silently left out. The message says what is wrong. */
export class InvalidSchema extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'InvalidSchema';
  }
}

/** A Schema Object as it stands in the document. */
export type SchemaFields = Readonly<PlainObject>;

/** The schema's keywords; throws InvalidSchema where it is no map. */
export const fieldsOf = (schema: unknown): SchemaFields => {
  if (isPlainObject(schema)) return schema;
  throw new InvalidSchema('A schema must be an object.');
};

/** A keyword that is a number, if it is given; exact beyond 2^53 where the document was read so. */
export const readNumber = (schema: SchemaFields, keyword: string): number | bigint | undefined => {
  const value = schema[keyword];
  if (value === undefined || typeof value === 'number' || typeof value === 'bigint') return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be a number.`);
};

/** A keyword that counts something, if it is given. */
export const readCount = (schema: SchemaFields, keyword: string): number | undefined => {
  const value = readNumber(schema, keyword);
  if (value === undefined) return undefined;
  if (value >= 0 && Number.isInteger(Number(value))) return Number(value);
  throw new InvalidSchema(`The keyword "${keyword}" must be a whole number, 0 or greater.`);
};

/** A keyword that is true or false; false where it is not given. */
export const readFlag = (schema: SchemaFields, keyword: string): boolean => {
  const value = schema[keyword] ?? false;
  if (typeof value === 'boolean') return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be true or false.`);
};

/** A keyword that is text, if it is given. */
export const readText = (schema: SchemaFields, keyword: string): string | undefined => {
  const value = schema[keyword];
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be a string.`);
};

/** A keyword that is a list of at least one entry, if it is given. */
export const readList = (schema: SchemaFields, keyword: string): readonly unknown[] | undefined => {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length > 0) return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be a list that is not empty.`);
};
