/** Gives every schema its shape: references followed, allOf merged, unions laid out, each worked out once. */

import { drawFrom } from '../base/fuel';
import { lazy, memoize } from '../base/memoize';
import { anySchema, constraintsOf, isNever, type Schema } from '../model/schema';
import { compileCoercion } from './coercion';
import { branchSets, partsOf, type SchemaParts, withSchemas } from './schema-parts';
import type { Accepts, Alternative, Shape, ShapeOf, ShapeType } from './shape';
import { readXmlObject } from './xml-object';

/** The schemas of a shape. */
export interface ShapeParts {
  /** The schemas that all hold. */
  readonly parts: readonly Schema[];
  /** The part whose XML Object counts. */
  readonly named: Schema;
  readonly component: string | undefined;
}

interface InnerShapes {
  all(schemas: readonly Schema[]): Shape;
  alternatives(): readonly Alternative[];
  /** Tells whether a typed value fits every part. */
  accepts(value: unknown): boolean;
}

/** Makes a shape; its inner shapes are made when they are first read. */
export function makeShape({ parts, named, component }: ShapeParts, inner: InnerShapes): Shape {
  const first = <Key extends keyof Schema>(key: Key): Schema[Key] | undefined =>
    parts.find((part) => part[key] !== undefined)?.[key];
  const alternatives = lazy(inner.alternatives);
  const properties = lazy(() => propertiesOf(parts, inner, alternatives()));
  const items = lazy(() => itemsOf(parts, inner));
  const additional = lazy(() => additionalOf(parts, inner));
  const given = first('default');
  // A default that does not fit would have every request refused that relies on it.
  const defaultValue = lazy(() => {
    const isFitting = () => inner.accepts(compileCoercion(shape, 'storage')(given));
    return given !== undefined && drawFrom(undefined, isFitting) ? given : undefined;
  });
  const shape: Shape = {
    type: namedType(parts),
    format: first('format'),
    nullable: parts.every(({ types }) => types?.includes('null') ?? true),
    readOnly: parts.some(({ readOnly }) => readOnly),
    writeOnly: parts.some(({ writeOnly }) => writeOnly),
    component,
    xml: readXmlObject(named.xml),
    get defaultValue() {
      return defaultValue();
    },
    get properties() {
      return properties();
    },
    get items() {
      return items();
    },
    get onlyItems() {
      return schemaOfItems(parts);
    },
    get additional() {
      return additional();
    },
    get alternatives() {
      return alternatives();
    },
    get ignoresUndeclared() {
      return properties().size > 0 && parts.every((part) => ignoresUndeclared(part, properties()));
    },
    comparesWhole: parts.some(comparesWhole),
  };
  return shape;
}

function namedType(parts: readonly Schema[]): ShapeType {
  const type = parts.flatMap(({ types = [] }) => types).find((one) => one !== 'null');
  if (type !== undefined) return type;
  const describesObjects = ({ properties, additionalProperties: additional }: Schema) =>
    properties !== undefined || (additional !== undefined && !isNever(additional));
  if (parts.some(describesObjects)) return 'object';
  if (parts.some((part) => part.items)) return 'array';
  return typeOfValues(parts.find((part) => part.enum !== undefined)?.enum);
}

/** Infers a missing type from the listed values, since it decides how text is read. */
function typeOfValues(values: readonly unknown[] = []): ShapeType {
  if (values.length === 0) return 'any';
  if (values.every(Number.isSafeInteger)) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'number';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'any';
}

function propertiesOf(
  parts: readonly Schema[],
  inner: InnerShapes,
  alternatives: readonly Alternative[],
): ReadonlyMap<string, Shape> {
  const declared = new Map<string, Schema[]>();
  for (const [name, schema] of parts.flatMap((part) => [...(part.properties ?? [])])) {
    declared.set(name, [...(declared.get(name) ?? []), schema]);
  }
  const own = [...declared].map(([name, schemas]) => [name, inner.all(schemas)] as const);
  const others = alternatives.flatMap(({ shape }) => [...shape.properties]);
  const properties = new Map<string, Shape>();
  for (const [name, property] of [...own, ...others]) {
    if (!properties.has(name)) properties.set(name, property);
  }
  return properties;
}

function itemsOf(parts: readonly Schema[], inner: InnerShapes): Shape | undefined {
  const schemas = parts.flatMap(({ items }) => items ?? []);
  return schemas.length === 0 ? undefined : inner.all(schemas);
}

function additionalOf(parts: readonly Schema[], inner: InnerShapes): Shape | boolean {
  const given = parts.flatMap((part) => part.additionalProperties ?? []);
  if (given.some(isNever)) return false;
  return given.every((schema) => constraintsOf(schema).length === 0) ? true : inner.all(given);
}

/** Tells whether a keyword compares an object by all of its properties. */
const comparesWhole = ({ oneOf, anyOf, not, enum: values, uniqueItems }: Schema): boolean =>
  oneOf.length > 0 || anyOf.length > 0 || (not ?? values) !== undefined || uniqueItems;

const ignoresUndeclared = (part: Schema, properties: ReadonlyMap<string, Shape>): boolean => {
  const { additionalProperties, minProperties, maxProperties, required, discriminator } = part;
  return (
    (additionalProperties ?? minProperties ?? maxProperties ?? discriminator) === undefined &&
    !comparesWhole(part) &&
    required.every((name) => properties.has(name))
  );
};

/**
 * Returns the schema of the items, where the parts constrain nothing else of a list; undefined where they do
 * (`maxItems`, `uniqueItems`, a union), or are not of a list.
 */
function schemaOfItems(parts: readonly Schema[]): Schema | undefined {
  const demands = parts
    .flatMap((part) => constraintsOf(part).map((keyword) => ({ part, keyword })))
    .filter(({ keyword }) => keyword !== 'members')
    .filter(({ keyword, part }) => keyword !== 'types' || !isListType(part));
  const [only] = demands;
  return demands.length === 1 && only?.keyword === 'items' ? only.part.items : undefined;
}

const isListType = ({ types = [] }: Schema): boolean =>
  types.includes('array') && types.every((type) => type === 'array' || type === 'null');

/** Unions of unions multiply; beyond this many choices in a row values are read without choosing. */
const MOST_CHOICES = 4;
/** Ways to choose in one union after another. */
const MOST_WAYS = 2_000;

interface ShapePlan extends ShapeParts, SchemaParts {
  /** The number of branches chosen so far. */
  readonly choices: number;
  /** The number of combinations among which they were chosen. */
  readonly ways: number;
}

/**
 * Makes the shapes of one document. A reference that cannot be resolved throws when the shape that holds it is read,
 * so that the rest of the document stays usable.
 */
export function compileShapes(accepts: Accepts): ShapeOf {
  const shapes = new Map<string, Shape>();
  let last = 0;
  const idOf = memoize((_object: object) => ++last);

  const shapeOfPlan = (plan: ShapePlan): Shape => {
    const key = [
      plan.parts.map(idOf).join(),
      plan.unions.map((union) => idOf(union.branches)).join(),
      idOf(plan.named),
      plan.component,
    ].join('|');
    const known = shapes.get(key);
    if (known) return known;
    const shape = makeShape(plan, {
      all: (schemas) => shapeOfPlan(initialPlan(schemas)),
      alternatives: () => alternativesOf(plan, accepts, shapeOfPlan),
      accepts: (value) => plan.parts.every((part) => accepts(part)(value)),
    });
    shapes.set(key, shape);
    return shape;
  };

  return (schema) => shapeOfPlan(initialPlan([schema]));
}

function initialPlan(schemas: readonly Schema[]): ShapePlan {
  const named = schemas.find(({ xml }) => xml) ?? schemas[0];
  return {
    ...partsOf(schemas),
    named: named ?? anySchema,
    component: named?.component,
    choices: 0,
    ways: 1,
  };
}

function alternativesOf(
  plan: ShapePlan,
  acceptsOf: Accepts,
  shapeOfPlan: (plan: ShapePlan) => Shape,
): readonly Alternative[] {
  const [union, ...unions] = plan.unions;
  if (!union || plan.choices === MOST_CHOICES) return [];
  const all = branchSets(union);
  const ways = plan.ways * all.length;
  if (plan.choices > 0 && ways > MOST_WAYS) return [];
  return all.map((branches) => {
    const chosen = withSchemas({ parts: plan.parts, unions }, branches);
    const predicates = lazy(() => branches.map(acceptsOf));
    return {
      shape: shapeOfPlan({ ...plan, ...chosen, choices: plan.choices + 1, ways }),
      accepts: (value) => predicates().every((accepts) => accepts(value)),
    };
  });
}
