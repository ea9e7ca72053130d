/** A value that shows what a schema means, for readers: it is not held against the schema's limits. */

import type { OpenAPIV3 } from 'openapi-types';
import type { MediaType, References } from '../../../engine';

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

/** Levels that are shown; recursive schemas go on for ever. */
const deepest = 6;

const ofFormat: Readonly<Record<string, string>> = {
  date: '2030-01-01',
  'date-time': '2030-01-01T12:00:00Z',
  email: 'somebody@example.com',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  uri: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'aGVsbG8=',
};

const ownValue = ({ example, default: fallback, enum: values }: OpenAPIV3.SchemaObject): unknown =>
  example ?? fallback ?? values?.[0];

const objectValue = (
  schema: OpenAPIV3.SchemaObject,
  references: References,
  depth: number,
): Readonly<Record<string, unknown>> => {
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    illustrate(property, references, depth + 1),
  ]);
  const { additionalProperties } = schema;
  if (entries.length === 0 && typeof additionalProperties === 'object') {
    entries.push(['name', illustrate(additionalProperties, references, depth + 1)]);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

const typedValue = (
  schema: OpenAPIV3.SchemaObject,
  references: References,
  depth: number,
): unknown => {
  switch (schema.type) {
    case 'string':
      return ofFormat[schema.format ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'array': {
      const item = illustrate(schema.items, references, depth + 1);
      return item === undefined ? [] : [item];
    }
    default:
      return schema.type === 'object' || schema.properties !== undefined
        ? objectValue(schema, references, depth)
        : undefined;
  }
};

/** What the members of allOf make together, with what stands beside them. */
const mergedValue = (parts: readonly unknown[], value: unknown): unknown => {
  const [only] = parts;
  return parts.length === 1 && value === undefined ? only : Object.assign({}, ...parts, value);
};

const composedValue = (
  schema: OpenAPIV3.SchemaObject,
  references: References,
  depth: number,
): unknown => {
  const value = typedValue(schema, references, depth);
  if (schema.allOf !== undefined) {
    return mergedValue(
      schema.allOf.map((part) => illustrate(part, references, depth + 1)),
      value,
    );
  }
  const branch = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  return value === undefined && branch !== undefined
    ? illustrate(branch, references, depth + 1)
    : value;
};

/** The value; undefined where the schema says too little. */
export const illustrate = (target: Schema, references: References, depth = 0): unknown => {
  const schema = references.find<OpenAPIV3.SchemaObject>(target);
  if (schema === undefined || depth > deepest) return undefined;
  return ownValue(schema) ?? composedValue(schema, references, depth);
};

/** An example of a body: the document's, else one made from the schema. */
export const bodyExample = (
  { examples = [], schema }: Pick<MediaType, 'examples' | 'schema'>,
  references: References,
): unknown => examples[0]?.value ?? (schema && illustrate(schema, references));
