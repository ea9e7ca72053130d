/** Gives every schema its shape: references followed, allOf merged, unions laid out, each worked out once. */

import { drawFrom } from '../../base/fuel';
import { lazy, memoize } from '../../base/memoize';
import { compileCoercion } from './coercion';
import {
  branchSets,
  followReference,
  partsOf,
  type SchemaPart,
  type SchemaParts,
  withSchemas,
} from './schema-parts';
import type { Alternative, Schema, Shape, ShapeOf, ShapeSource, ShapeType } from './shape';
import { readXmlObject } from './xml-object';

/** The schemas of a shape. */
export interface ShapeParts {
  /** The schemas that all hold. */
  readonly parts: readonly SchemaPart[];
  /** The part whose XML Object counts. */
  readonly named: SchemaPart;
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
  const first = <Key extends keyof SchemaPart>(key: Key): SchemaPart[Key] | undefined =>
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
    // OAS 3.0.3: only a schema that names a type can forbid or allow null.
    nullable: parts.every(({ type, nullable }) => type === undefined || nullable === true),
    readOnly: parts.some(({ readOnly }) => readOnly === true),
    writeOnly: parts.some(({ writeOnly }) => writeOnly === true),
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

function namedType(parts: readonly SchemaPart[]): ShapeType {
  const type = parts.find((part) => part.type !== undefined)?.type;
  if (type !== undefined) return type;
  if (parts.some((part) => part.properties ?? part.additionalProperties)) return 'object';
  if (parts.some((part) => 'items' in part)) return 'array';
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
  parts: readonly SchemaPart[],
  inner: InnerShapes,
  alternatives: readonly Alternative[],
): ReadonlyMap<string, Shape> {
  const declared = new Map<string, Schema[]>();
  for (const [name, schema] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
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

function itemsOf(parts: readonly SchemaPart[], inner: InnerShapes): Shape | undefined {
  const schemas = parts.flatMap(({ items }) => items ?? []);
  return schemas.length === 0 ? undefined : inner.all(schemas);
}

function additionalOf(parts: readonly SchemaPart[], inner: InnerShapes): Shape | boolean {
  const given = parts.map((part) => part.additionalProperties);
  if (given.includes(false)) return false;
  const schemas = given.filter((schema) => typeof schema === 'object');
  return schemas.length === 0 ? true : inner.all(schemas);
}

/** Tells whether a keyword compares an object by all of its properties. */
const comparesWhole = ({ oneOf, anyOf, not, enum: values, uniqueItems }: SchemaPart): boolean =>
  (oneOf ?? anyOf ?? not ?? values) !== undefined || uniqueItems === true;

const ignoresUndeclared = (part: SchemaPart, properties: ReadonlyMap<string, Shape>): boolean => {
  const { additionalProperties, minProperties, maxProperties, required = [], discriminator } = part;
  return (
    (additionalProperties ?? minProperties ?? maxProperties ?? discriminator) === undefined &&
    !comparesWhole(part) &&
    required.every((name) => properties.has(name))
  );
};

/** Keywords that make no list invalid by themselves; members of `allOf` are parts of their own. */
const harmless = new Set([
  'type',
  'nullable',
  'allOf',
  'title',
  'description',
  'default',
  'example',
  'externalDocs',
  'deprecated',
  'readOnly',
  'writeOnly',
  'xml',
]);

const isHarmless = ([keyword, value]: readonly [string, unknown]): boolean =>
  keyword === 'type' ? value === 'array' : harmless.has(keyword) || keyword.startsWith('x-');

/**
 * Returns the schema of the items, where the parts constrain nothing else of a list; undefined where they do
 * (`maxItems`, `uniqueItems`, a union), or are not of a list.
 */
function schemaOfItems(parts: readonly SchemaPart[]): Schema | undefined {
  const demands = parts
    .flatMap((part) => Object.entries(part))
    .filter((entry) => !isHarmless(entry));
  return demands.length === 1 ? parts.find(({ items }) => items)?.items : undefined;
}

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
export function compileShapes(source: ShapeSource): ShapeOf {
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
      all: (schemas) => shapeOfPlan(initialPlan(schemas, source)),
      alternatives: () => alternativesOf(plan, source, shapeOfPlan),
      accepts: (value) => plan.parts.every((part) => source.accepts(part)(value)),
    });
    shapes.set(key, shape);
    return shape;
  };

  return (schema) => shapeOfPlan(initialPlan([schema], source));
}

function initialPlan(schemas: readonly Schema[], source: ShapeSource): ShapePlan {
  const targets = schemas.map((schema) => followReference(schema, source));
  const named = targets.find(({ schema }) => schema.xml) ?? targets[0];
  return {
    ...partsOf(schemas, source),
    named: named?.schema ?? {},
    component: named?.component,
    choices: 0,
    ways: 1,
  };
}

function alternativesOf(
  plan: ShapePlan,
  source: ShapeSource,
  shapeOfPlan: (plan: ShapePlan) => Shape,
): readonly Alternative[] {
  const [union, ...unions] = plan.unions;
  if (!union || plan.choices === MOST_CHOICES) return [];
  const all = branchSets(union);
  const ways = plan.ways * all.length;
  if (plan.choices > 0 && ways > MOST_WAYS) return [];
  return all.map((branches) => {
    const chosen = withSchemas({ parts: plan.parts, unions }, branches, source);
    const predicates = lazy(() => branches.map((branch) => source.accepts(branch)));
    return {
      shape: shapeOfPlan({ ...plan, ...chosen, choices: plan.choices + 1, ways }),
      accepts: (value) => predicates().every((accepts) => accepts(value)),
    };
  });
}
