/** Gives every schema its shape: references followed, allOf merged, unions laid out, each worked out once. */

import { drawFrom } from '../base/fuel';
import { lazy, memoize, withLate } from '../base/memoize';
import {
  anySchema,
  constraintsOf,
  isNever,
  type Schema,
  schemasInPlace,
  schemasOfParts,
} from '../model/schema';
import {
  alwaysHeld,
  type Choice,
  heldUnlessNull,
  openChoices,
  otherTag,
  typeChoice,
} from './choices';
import { compileCoercion } from './coercion';
import { addMembers } from './schema-parts';
import { memberKeywords, SchemaView, viewOf } from './schema-view';
import type { Accepts, Alternative, PatternedShapes, Shape, ShapeOf, ShapeType } from './shape';
import { patternTest } from './validation/checks/pattern-check';
import { readXmlObject } from './xml-object';

/** The schemas of a shape, and how far their choices are made. */
interface ShapePlan {
  /** The schemas that all hold, at least where the value is not null. */
  readonly parts: readonly Schema[];
  /** Those of them that hold for null, too. */
  readonly always: readonly Schema[];
  /** The choices among them that have not been made. */
  readonly choices: readonly Choice[];
  /** The part whose XML Object counts. */
  readonly named: Schema;
  readonly component: string | undefined;
  /** The number of choices made so far. */
  readonly made: number;
  /** The number of combinations among which they were made. */
  readonly ways: number;
}

interface InnerShapes {
  all(schemas: readonly Schema[]): Shape;
  alternatives(): readonly Alternative[];
  /** Tells whether a typed value fits every part. */
  accepts(value: unknown): boolean;
}

/** Makes a shape; its inner shapes are made when they are first read. */
function makeShape(plan: ShapePlan, inner: InnerShapes): Shape {
  const { parts, always, named, component } = plan;
  const view = new SchemaView(parts);
  const type = typeOf(view);
  const own = {
    type,
    format: view.values('format')[0],
    isBinary: (type === 'string' || type === 'any') && view.isBinary,
    contentEncoding: view.values('contentEncoding')[0],
    contentMediaType: view.values('contentMediaType')[0],
    nullable: always.every(({ types }) => types?.includes('null') ?? true),
    readOnly: view.isMarked('readOnly'),
    writeOnly: view.isMarked('writeOnly'),
    component,
    xml: readXmlObject(named.xml),
    isRequired: (name: string) => parts.some(({ required }) => required.includes(name)),
    comparesWhole: parts.some(comparesWhole) || view.readTypes.length > 1,
  };
  const shape: Shape = withLate(own, {
    defaultValue: () => {
      const value = parts.find((part) => part.default !== undefined)?.default;
      // One that does not fit would have every request refused that relies on it.
      const isFitting = () => inner.accepts(compileCoercion(shape, 'storage')(value));
      return value !== undefined && drawFrom(undefined, isFitting) ? value : undefined;
    },
    properties: () => propertiesOf(view, plan, inner, shape.alternatives),
    prefixItems: () =>
      Array.from({ length: view.positions }, (_, index) => inner.all(view.itemSchemas(index))),
    items: () => {
      const schemas = view.itemSchemas(view.positions);
      return schemas.length === 0 ? undefined : inner.all(schemas);
    },
    onlyItems: () => schemaOfItems(parts),
    additional: () => {
      const others = view.constraintsOn(undefined).map(({ schema }) => schema);
      if (others.some(isNever)) return false;
      return others.every((schema) => constraintsOf(schema).length === 0) || inner.all(others);
    },
    patterned: () => patternedOf(view, inner),
    alternatives: inner.alternatives,
    ignoresUndeclared: () =>
      shape.properties.size > 0 && parts.every((part) => ignoresUndeclared(part, shape.properties)),
    holdsDecimals: () => {
      const all = new Set(parts);
      // Whatever is added while they are visited is visited, too.
      for (const schema of all) {
        for (const one of [...schemasInPlace(schema), ...schemasOfParts(schema)]) all.add(one);
      }
      return [...all].some(
        ({ format, types }) => format === 'decimal' && (types?.includes('number') ?? true),
      );
    },
  });
  return shape;
}

/** Returns the type; of several that are possible none. A missing one is inferred from the listed values, since it decides how text is read. */
function typeOf(view: SchemaView): ShapeType {
  const [type, another] = view.readTypes;
  if (another !== undefined) return 'any';
  const named = type ?? view.namedType ?? view.impliedType(memberKeywords, false);
  if (named !== undefined && named !== 'null') return named;
  const [values = []] = view.values('enum');
  if (values.length === 0) return 'any';
  if (values.every(Number.isSafeInteger)) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'number';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'any';
}

function propertiesOf(
  view: SchemaView,
  { parts, choices }: ShapePlan,
  inner: InnerShapes,
  alternatives: readonly Alternative[],
): ReadonlyMap<string, Shape> {
  // Where too many choices have been made, the properties of those that are left are known all the same.
  const left = alternatives.length > 0 ? [] : choices.flatMap(({ ways }) => ways.flat());
  const others = [
    ...alternatives.map(({ shape }) => shape),
    ...left.map((schema) => inner.all([schema])),
  ];
  const properties = new Map(
    view.names.map((name) => [name, inner.all([...view.declared(name), ...view.patterned(name)])]),
  );
  const more = [
    ...others.flatMap((shape) => [...shape.properties]),
    ...parts
      .flatMap(writeOnlyOfMapped)
      .map(([name, schema]) => [name, inner.all([schema])] as const),
  ];
  for (const [name, property] of more) {
    if (!properties.has(name)) properties.set(name, property);
  }
  return properties;
}

/** Lists the properties of what a discriminator leads to that no response may show; of its other properties nothing is known here. */
const writeOnlyOfMapped = ({ discriminator }: Schema): (readonly [string, Schema])[] =>
  [...(discriminator?.mapping.values() ?? [])]
    .flatMap((mapped) => viewOf(mapped).values('properties'))
    .flatMap((properties) => [...properties])
    .filter(([, schema]) => viewOf(schema).isMarked('writeOnly'));

function patternedOf(view: SchemaView, inner: InnerShapes): PatternedShapes | undefined {
  const patterns = view
    .values('patternProperties')
    .flatMap((all) =>
      [...all].map(([pattern, schema]) => ({ test: patternTest(pattern), schema })),
    );
  if (patterns.length === 0) return undefined;
  // Names are many, and few combinations of patterns match them.
  const shapeOfMatching = memoize(
    (matching: string) =>
      inner.all(patterns.flatMap(({ schema }, at) => (matching[at] === '1' ? schema : []))),
    { max: 1_000 },
  );
  return {
    shapes: patterns.map(({ schema }) => inner.all([schema])),
    find(name) {
      const matching = patterns.map(({ test }) => (test(name) ? '1' : '0')).join('');
      return matching.includes('1') ? shapeOfMatching(matching) : undefined;
    },
  };
}

/** The keywords that compare a value with all that is in it. */
const comparing = [
  'oneOf',
  'anyOf',
  'not',
  'enum',
  'uniqueItems',
  'contains',
  'if',
  'dependentSchemas',
] as const satisfies readonly (keyof Schema)[];

/** The keywords that concern properties which are not declared. */
const onUndeclared = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'discriminator',
] as const satisfies readonly (keyof Schema)[];

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

const comparesWhole = (part: Schema): boolean =>
  comparing.some((keyword) => isGiven(part[keyword]));

const ignoresUndeclared = (part: Schema, properties: ReadonlyMap<string, Shape>): boolean =>
  !comparesWhole(part) &&
  onUndeclared.every((keyword) => part[keyword] === undefined) &&
  part.required.every((name) => properties.has(name));

/**
 * Returns the schema of the items, where the parts constrain nothing else of a list; undefined where they do
 * (`maxItems`, `uniqueItems`, a union), or are not of a list.
 */
function schemaOfItems(parts: readonly Schema[]): Schema | undefined {
  const demands = parts
    .flatMap((part) => constraintsOf(part).map((keyword) => ({ part, keyword })))
    .filter(({ keyword, part: { types = [] } }) => {
      const isListType =
        types.includes('array') && types.every((type) => type === 'array' || type === 'null');
      return keyword !== 'members' && !(keyword === 'types' && isListType);
    });
  const [only] = demands;
  return demands.length === 1 && only?.keyword === 'items' ? only.part.items : undefined;
}

/** Unions of unions multiply; beyond this many choices in a row values are read without choosing. */
const MOST_CHOICES = 4;
/** Ways to choose in one union after another. */
const MOST_WAYS = 2_000;

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
      plan.always.length < plan.parts.length ? plan.always.map(idOf).join() : '',
      plan.choices.map(idOf).join(),
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

/** Adds schemas to those that hold together. */
function withSchemas(
  { parts, always, choices }: Pick<ShapePlan, 'parts' | 'always' | 'choices'>,
  schemas: readonly Schema[],
) {
  const [all, allOfNull] = [new Set(parts), new Set(always)];
  for (const schema of schemas) {
    addMembers(all, schema, heldUnlessNull);
    addMembers(allOfNull, schema, alwaysHeld);
  }
  const added = [...all].slice(parts.length);
  return {
    parts: [...all],
    always: [...allOfNull],
    choices: [...choices, ...added.flatMap(openChoices)],
  };
}

function initialPlan(schemas: readonly Schema[]): ShapePlan {
  const named = schemas.find(({ xml }) => xml) ?? schemas[0];
  return {
    ...withSchemas({ parts: [], always: [], choices: [] }, schemas),
    named: named ?? anySchema,
    component: named?.component,
    made: 0,
    ways: 1,
  };
}

function alternativesOf(
  plan: ShapePlan,
  acceptsOf: Accepts,
  shapeOfPlan: (plan: ShapePlan) => Shape,
): readonly Alternative[] {
  const [choice = typeChoice(new SchemaView(plan.parts)), ...choices] = plan.choices;
  if (!choice || plan.made === MOST_CHOICES) return [];
  const ways = plan.ways * choice.ways.length;
  if (plan.made > 0 && ways > MOST_WAYS) return [];
  return choice.ways.map((schemas) => {
    const chosen = withSchemas({ ...plan, choices }, schemas);
    const predicates = lazy(() => schemas.map(acceptsOf));
    const tags = lazy(() => schemas.flatMap((schema) => otherTag(schema) ?? []));
    return {
      shape: shapeOfPlan({ ...plan, ...chosen, made: plan.made + 1, ways }),
      accepts: (value) =>
        !tags().some((isOther) => isOther(value)) &&
        predicates().every((accepts) => accepts(value)),
    };
  });
}
