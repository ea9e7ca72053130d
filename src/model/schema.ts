/**
 * Schemas of the model. Their meaning is that of JSON Schema 2020-12, whichever version of OpenAPI the document is of: references
 * are followed, so that a recursive schema is a cyclic graph.
 */

import type { ExactNumber } from '../base/exact-number';

/** The types of JSON Schema (Validation, section 6.1.1). */
export const jsonTypes = [
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
  'null',
] as const;

/** A type of JSON Schema; an integer is a number, too. */
export type JsonType = (typeof jsonTypes)[number];

/** The nodes that a value may be in XML; `none`: what it holds stands in its place (OAS 3.2.0, XML Node Types). */
export const xmlNodeTypes = ['element', 'attribute', 'text', 'cdata', 'none'] as const;
export type XmlNodeType = (typeof xmlNodeTypes)[number];

/** The XML Object (OAS 3.2.0, XML Object), with the names that are inferred from components. */
export interface XmlObject {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly prefix?: string | undefined;
  /** Undefined: an array is none, anything else an element, and all items of a list have one name. */
  readonly nodeType?: XmlNodeType | undefined;
  /** True where an attribute that is left out is null, if it may be (OAS 3.2.0, Handling `null` Values). */
  readonly omittedIsNull?: boolean;
  /** Its fields that have no effect, in sentences without an article and an end. */
  readonly faults?: readonly string[];
}

/** The Discriminator Object (OAS 3.0.4, section 4.7.25). */
export interface Discriminator {
  readonly propertyName: string;
  /** The schemas that values of the property name; one whose reference leads nowhere has that error. */
  readonly mapping: ReadonlyMap<string, Schema>;
  /** The schema of values without the property, or with one that names none (OAS 3.2.0, Optional Discriminating Property). */
  readonly defaultMapping: Schema | undefined;
}

/** A schema that cannot be enforced, so that a wrong rule is never silently left out. The message says why. */
export class InvalidSchema extends Error {
  readonly keyword: string | undefined;
  readonly advice: string | undefined;

  /**
   * @param keyword the one that is wrong
   * @param advice a sentence about the probable meaning
   */
  constructor(message: string, keyword?: string, advice?: string) {
    super(message);
    this.name = 'InvalidSchema';
    this.keyword = keyword;
    this.advice = advice;
  }
}

/** A `$ref` that leads nowhere, in a circle, or out of the document. */
export class UnresolvableReference extends Error {
  readonly ref: string;

  constructor(ref: string, reason: string) {
    super(`The reference ${ref} cannot be resolved: ${reason}`);
    this.name = 'UnresolvableReference';
    this.ref = ref;
  }
}

/**
 * A schema. A keyword that the document leaves out is undefined, or an empty list. A boolean schema is one without keywords
 * (`true`), or one without a type (`false`).
 */
export interface Schema {
  /** The JSON Pointer of the place where it is declared. */
  readonly pointer: string;
  /** The name under components/schemas, where it stands there or is a reference to one that does. */
  readonly component: string | undefined;
  /** The error for which nothing can be validated by it: a keyword with a wrong value, or a reference that leads nowhere. */
  readonly error: InvalidSchema | UnresolvableReference | undefined;

  /** The types that values may have; undefined: any, empty: none. */
  readonly types: readonly JsonType[] | undefined;
  /** The values of `enum`, or the one of `const`. */
  readonly enum: readonly unknown[] | undefined;
  /** True where `enum` is the one value of `const`. */
  readonly isConst: boolean;
  readonly format: string | undefined;

  readonly minimum: ExactNumber | undefined;
  readonly maximum: ExactNumber | undefined;
  readonly exclusiveMinimum: ExactNumber | undefined;
  readonly exclusiveMaximum: ExactNumber | undefined;
  readonly multipleOf: ExactNumber | undefined;

  /** In characters (code points); in bytes where values are octets. */
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentMediaType: string | undefined;
  readonly contentSchema: Schema | undefined;

  readonly prefixItems: readonly Schema[];
  readonly items: Schema | undefined;
  readonly contains: Schema | undefined;
  readonly minContains: number | undefined;
  readonly maxContains: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly unevaluatedItems: Schema | undefined;

  readonly properties: ReadonlyMap<string, Schema> | undefined;
  readonly patternProperties: ReadonlyMap<string, Schema> | undefined;
  readonly additionalProperties: Schema | undefined;
  readonly propertyNames: Schema | undefined;
  readonly required: readonly string[];
  readonly dependentRequired: ReadonlyMap<string, readonly string[]> | undefined;
  readonly dependentSchemas: ReadonlyMap<string, Schema> | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly unevaluatedProperties: Schema | undefined;

  /** Schemas that hold together with this one: those of `allOf`, and the target of a `$ref` that has siblings. */
  readonly members: readonly Schema[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly not: Schema | undefined;
  readonly if: Schema | undefined;
  /** `then` and `else`. */
  readonly ifTrue: Schema | undefined;
  readonly ifFalse: Schema | undefined;

  readonly title: string | undefined;
  readonly description: string | undefined;
  /** As the document spells it. */
  readonly default: unknown;
  /** As the document spells them. */
  readonly examples: readonly unknown[];
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
  readonly xml: XmlObject | undefined;
  readonly discriminator: Discriminator | undefined;
  /** Fields that begin with `x-`. */
  readonly extensions: ReadonlyMap<string, unknown>;
}

/** The keywords for which a value may be invalid, of a schema that has none. */
const noConstraints = {
  error: undefined,
  types: undefined,
  enum: undefined,
  format: undefined,
  minimum: undefined,
  maximum: undefined,
  exclusiveMinimum: undefined,
  exclusiveMaximum: undefined,
  multipleOf: undefined,
  minLength: undefined,
  maxLength: undefined,
  pattern: undefined,
  prefixItems: [],
  items: undefined,
  contains: undefined,
  minContains: undefined,
  maxContains: undefined,
  minItems: undefined,
  maxItems: undefined,
  uniqueItems: false,
  unevaluatedItems: undefined,
  properties: undefined,
  patternProperties: undefined,
  additionalProperties: undefined,
  propertyNames: undefined,
  required: [],
  dependentRequired: undefined,
  dependentSchemas: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  unevaluatedProperties: undefined,
  members: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
  if: undefined,
  ifTrue: undefined,
  ifFalse: undefined,
};

/** The schema that every value fits. */
export const anySchema: Schema = Object.freeze({
  ...noConstraints,
  pointer: '',
  component: undefined,
  isConst: false,
  contentEncoding: undefined,
  contentMediaType: undefined,
  contentSchema: undefined,
  title: undefined,
  description: undefined,
  default: undefined,
  examples: [],
  readOnly: false,
  writeOnly: false,
  deprecated: false,
  xml: undefined,
  discriminator: undefined,
  extensions: new Map(),
});

/** Makes a schema that is as the given one, but for some keywords. */
export const withKeywords = (schema: Schema, keywords: Partial<Schema>): Schema =>
  Object.freeze(Object.create(schema, Object.getOwnPropertyDescriptors(keywords)));

/** Makes a schema of keywords alone. */
export const schemaOf = (keywords: Partial<Schema>): Schema => withKeywords(anySchema, keywords);

/** Tells whether no value fits the schema, because it is `false`. */
export const isNever = ({ types }: Schema): boolean => types?.length === 0;

/**
 * Tells whether values of schemas that hold together are octets (OAS 3.1.2, Working with Binary Data): by `format: binary`, or by a
 * media type without a type and an encoding.
 */
export const isBinary = (parts: readonly Schema[]): boolean => {
  const isTyped = parts.some(({ types }) => types !== undefined);
  return parts.some(
    ({ format, contentMediaType, contentEncoding }) =>
      format === 'binary' ||
      (!isTyped && contentMediaType !== undefined && contentEncoding === undefined),
  );
};

const present = (schemas: readonly (Schema | undefined)[]): readonly Schema[] =>
  schemas.filter((schema) => schema !== undefined);

/** Lists the schemas that may hold for the value of a schema itself, `not` aside. */
export const schemasInPlace = (schema: Schema): readonly Schema[] => [
  ...schema.members,
  ...schema.oneOf,
  ...schema.anyOf,
  ...present([schema.if, schema.ifTrue, schema.ifFalse]),
  ...(schema.dependentSchemas?.values() ?? []),
];

/** Lists the schemas of the properties and items of a value. */
export const schemasOfParts = (schema: Schema): readonly Schema[] => [
  ...(schema.properties?.values() ?? []),
  ...(schema.patternProperties?.values() ?? []),
  ...present([schema.additionalProperties, schema.unevaluatedProperties]),
  ...schema.prefixItems,
  ...present([schema.items, schema.contains, schema.unevaluatedItems]),
];

/** Lists the keywords of a schema, `members` among them, for which a value may be invalid. */
export const constraintsOf = (schema: Schema): readonly (keyof Schema)[] =>
  (Object.keys(noConstraints) as (keyof typeof noConstraints)[]).filter((keyword) => {
    const value = schema[keyword];
    if (Array.isArray(value)) return value.length > 0 || keyword === 'types';
    return value !== undefined && value !== false;
  });
