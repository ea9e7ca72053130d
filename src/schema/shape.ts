/** A schema as the codecs see it: references followed, allOf merged, names and types settled once. */

import type { Schema, XmlNodeType } from '../model/schema';

/**
 * The direction of a value.
 * - `request`: reading drops `readOnly` properties and fills in defaults (OAS 3.0.3, Schema Object).
 * - `response`: writing drops `writeOnly` properties.
 * - `storage`: nothing is dropped or filled in.
 */
export type Direction = 'request' | 'response' | 'storage';

/** A direction, or `any` of them, in which properties that one direction may omit are not required. */
export type Mode = Direction | 'any';

/** The JSON type that a schema names; `any` where it names none, or several. */
export type ShapeType = 'any' | 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';

/** The XML Object of a schema, without what is not legal in XML. */
export interface XmlNames {
  /** Undefined where the document gives none, or none that is a legal XML name. */
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly prefix: string | undefined;
  readonly nodeType: XmlNodeType | undefined;
  readonly omittedIsNull: boolean;
  /** The errors of the XML Object, one sentence each. */
  readonly errors: readonly string[];
}

/** One way to choose: a branch of oneOf or anyOf, a side of a condition, or one of several types. */
export interface Alternative {
  readonly shape: Shape;
  /** Tells whether the value validates against what is chosen. */
  accepts(value: unknown): boolean;
}

/** The shapes of undeclared properties by patterns of their names. */
export interface PatternedShapes {
  readonly shapes: readonly Shape[];
  /** Returns the shape of a property, by all patterns that match; undefined where none does. */
  find(name: string): Shape | undefined;
}

/**
 * The normal form of a schema. Recursive schemas give cyclic shapes; what is inside of one is therefore filled in after the shape
 * itself exists (reading it after compilation is safe).
 */
export interface Shape {
  readonly type: ShapeType;
  readonly format: string | undefined;
  /** True where values are octets (Uint8Array). */
  readonly isBinary: boolean;
  /** The encoding of octets that are texts, such as base64. */
  readonly contentEncoding: string | undefined;
  readonly contentMediaType: string | undefined;
  readonly nullable: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  /** The name under components/schemas, where the schema is reached by one. */
  readonly component: string | undefined;
  readonly xml: XmlNames;
  /** Own properties and those of allOf members; for naming also those of alternatives (OAS 3.0.3, XML Object). */
  readonly properties: ReadonlyMap<string, Shape>;
  /** Tells whether an object must have the property. */
  isRequired(name: string): boolean;
  /** The shapes of a list's first items, by position. */
  readonly prefixItems: readonly Shape[];
  /** The shape of the other items. */
  readonly items: Shape | undefined;
  /** The schema of the items, where a list is valid whenever each of its items is; otherwise undefined. */
  readonly onlyItems: Schema | undefined;
  /** Undefined where no patterns are given. */
  readonly patterned: PatternedShapes | undefined;
  /** The shape of undeclared properties that match no pattern, or whether they are allowed. Defaults to `true`. */
  readonly additional: Shape | boolean;
  readonly alternatives: readonly Alternative[];
  /** True where undeclared properties make no difference to validation, and no keyword concerns them. */
  readonly ignoresUndeclared: boolean;
  /** True where values are compared or validated with all that is in them: by a union, a condition, `not`, `enum` and so on. */
  readonly comparesWhole: boolean;
  /** True where it is, or holds, a number of `format: decimal`, of which every digit is kept. */
  readonly holdsDecimals: boolean;
  /** The schema's default, as parsed from the document; undefined where it has none, or none that fits. */
  readonly defaultValue: unknown;
}

/** Makes a predicate that validates against a schema; called lazily, at the first value to decide. */
export type Accepts = (schema: Schema) => (value: unknown) => boolean;

/** Gives each schema its shape; the same schema object always gives the same shape. */
export type ShapeOf = (schema: Schema) => Shape;

/** Returns the shape of an object's member; undefined where the schema does not describe it. */
export const memberShape = (shape: Shape, name: string): Shape | undefined => {
  const { properties, patterned, additional } = shape;
  const others = typeof additional === 'boolean' ? undefined : additional;
  return properties.get(name) ?? patterned?.find(name) ?? others;
};

/** Lists the shapes that a list's items may have. */
export const itemShapes = ({ prefixItems, items }: Shape): readonly Shape[] =>
  items === undefined ? prefixItems : [...prefixItems, items];

/** Tells whether a value is a list, and has lists where its items must be some. */
export const isListOf = (shape: Shape, value: unknown): value is unknown[] =>
  Array.isArray(value) &&
  value.every((item, index) => itemShape(shape, index)?.type !== 'array' || Array.isArray(item));

/** Returns the shape of a list's item; undefined where the schema does not describe it. */
export const itemShape = ({ prefixItems, items }: Shape, index: number): Shape | undefined =>
  prefixItems[index] ?? items;

/** Lists the shape and everything inside it. */
export function shapesIn(root: Shape): readonly Shape[] {
  const found = new Set<Shape>([root]);
  // Whatever is added while they are visited is visited, too.
  for (const shape of found) {
    const { properties, patterned, additional, alternatives } = shape;
    for (const inner of [...properties.values(), ...(patterned?.shapes ?? [])]) found.add(inner);
    for (const inner of itemShapes(shape)) found.add(inner);
    if (typeof additional === 'object') found.add(additional);
    for (const alternative of alternatives) found.add(alternative.shape);
  }
  return [...found];
}
