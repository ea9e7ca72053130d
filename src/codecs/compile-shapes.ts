/** Gives every schema its shape: references followed, allOf merged, unions laid out, each worked out once. */

import {
  addParts,
  choicesOf,
  followReference,
  type SchemaPart,
  type Union,
  unionsOf,
} from './schema-parts';
import type { Alternative, Schema, Shape, ShapeOf, ShapeSource, ShapeType } from './shape';
import { readXmlObject } from './xml-object';

/** Unions of unions multiply; beyond this many choices in a row values are read without choosing. */
const MOST_CHOICES = 4;

/** What a shape is made from. */
interface Plan {
  /** The schemas that all hold. */
  readonly parts: readonly SchemaPart[];
  /** The unions among the parts that no branch has been chosen of yet. */
  readonly unions: readonly Union[];
  /** The part whose XML Object counts. */
  readonly named: SchemaPart;
  readonly component: string | undefined;
  readonly choices: number;
}

/**
 * Makes the shapes of one document. A reference that cannot be resolved throws when the shape that holds it is read,
 * so that the rest of the document stays usable.
 */
export function compileShapes(source: ShapeSource): ShapeOf {
  const shapes = new Map<string, Shape>();
  const idOf = identities();

  const shapeOfPlan = (plan: Plan): Shape => {
    const key = [
      plan.parts.map(idOf).join(),
      plan.unions.map((union) => idOf(union.branches)).join(),
      idOf(plan.named),
      plan.component,
    ].join('|');
    const known = shapes.get(key);
    if (known) return known;
    const shape = makeShape(plan, {
      all: (schemas) => shapeOfPlan(planOf(schemas, source)),
      alternatives: () => alternativesOf(plan, source, shapeOfPlan),
    });
    shapes.set(key, shape);
    return shape;
  };

  return (schema) => shapeOfPlan(planOf([schema], source));
}

/** Numbers objects by identity. */
function identities(): (object: object) => number {
  const ids = new WeakMap<object, number>();
  let last = 0;
  return (object) => {
    const id = ids.get(object) ?? ++last;
    ids.set(object, id);
    return id;
  };
}

/** The plan of schemas that must hold together. */
function planOf(schemas: readonly Schema[], source: ShapeSource): Plan {
  const targets = schemas.map((schema) => followReference(schema, source));
  const parts = new Set<SchemaPart>();
  for (const { schema } of targets) addParts(parts, schema, source);
  const named = targets.find(({ schema }) => schema.xml) ?? targets[0];
  return {
    parts: [...parts],
    unions: unionsOf(parts),
    named: named?.schema ?? {},
    component: named?.component,
    choices: 0,
  };
}

function alternativesOf(
  plan: Plan,
  source: ShapeSource,
  shapeOfPlan: (plan: Plan) => Shape,
): readonly Alternative[] {
  const [union, ...rest] = plan.unions;
  if (!union || plan.choices === MOST_CHOICES) return [];
  return choicesOf(union).map((branches) => {
    const parts = new Set(plan.parts);
    for (const branch of branches) addParts(parts, branch, source);
    const added = [...parts].slice(plan.parts.length);
    const predicates = once(() => branches.map((branch) => source.accepts(branch)));
    return {
      shape: shapeOfPlan({
        ...plan,
        parts: [...parts],
        unions: [...rest, ...unionsOf(added)],
        choices: plan.choices + 1,
      }),
      accepts: (value) => predicates().every((accepts) => accepts(value)),
    };
  });
}

/** How a shape reaches the shapes inside it. */
interface Inner {
  all(schemas: readonly Schema[]): Shape;
  alternatives(): readonly Alternative[];
}

function makeShape({ parts, named, component }: Plan, inner: Inner): Shape {
  const first = <Key extends keyof SchemaPart>(key: Key): SchemaPart[Key] | undefined =>
    parts.find((part) => part[key] !== undefined)?.[key];
  const alternatives = once(inner.alternatives);
  const properties = once(() => propertiesOf(parts, inner, alternatives()));
  const items = once(() => itemsOf(parts, inner));
  const additional = once(() => additionalOf(parts, inner));
  return {
    type: typeOf(parts),
    format: first('format'),
    // OAS 3.0.3: only a schema that names a type can forbid or allow null.
    nullable: parts.every(({ type, nullable }) => type === undefined || nullable === true),
    readOnly: parts.some(({ readOnly }) => readOnly === true),
    writeOnly: parts.some(({ writeOnly }) => writeOnly === true),
    component,
    xml: readXmlObject(named.xml),
    defaultValue: first('default'),
    get properties() {
      return properties();
    },
    get items() {
      return items();
    },
    get additional() {
      return additional();
    },
    get alternatives() {
      return alternatives();
    },
  };
}

function typeOf(parts: readonly SchemaPart[]): ShapeType {
  const type = parts.find((part) => part.type !== undefined)?.type;
  if (type !== undefined) return type;
  if (parts.some((part) => part.properties ?? part.additionalProperties)) return 'object';
  return parts.some((part) => 'items' in part) ? 'array' : 'any';
}

function propertiesOf(
  parts: readonly SchemaPart[],
  inner: Inner,
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

function itemsOf(parts: readonly SchemaPart[], inner: Inner): Shape | undefined {
  const schemas = parts.flatMap((part) => ('items' in part && part.items ? [part.items] : []));
  return schemas.length === 0 ? undefined : inner.all(schemas);
}

function additionalOf(parts: readonly SchemaPart[], inner: Inner): Shape | boolean {
  const given = parts.map((part) => part.additionalProperties);
  if (given.includes(false)) return false;
  const schemas = given.filter((schema) => typeof schema === 'object');
  return schemas.length === 0 ? true : inner.all(schemas);
}

function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
