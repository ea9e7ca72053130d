/** Gives every schema its shape: references followed, allOf merged, unions laid out, each worked out once. */

import { drawFrom } from '../base/fuel';
import { lazy, memoize } from '../base/memoize';
import { anySchema, constraintsOf, isBinary, isNever, type Schema } from '../model/schema';
import {
  alwaysHeld,
  type Choice,
  choicesOf,
  heldUnlessNull,
  otherTag,
  typeChoice,
  typesOf,
} from './choices';
import { compileCoercion } from './coercion';
import { addMembers, readableParts } from './schema-parts';
import type { Accepts, Alternative, PatternedShapes, Shape, ShapeOf, ShapeType } from './shape';
import { patternTest } from './validation/checks/pattern-check';
import { readXmlObject } from './xml-object';

/** The schemas of a shape. */
interface ShapeParts {
  /** The schemas that all hold, at least where the value is not null. */
  readonly parts: readonly Schema[];
  /** Those of them that hold for null, too. */
  readonly always: readonly Schema[];
  /** The choices among them that have not been made. */
  readonly choices: readonly Choice[];
  /** The part whose XML Object counts. */
  readonly named: Schema;
  readonly component: string | undefined;
}

/** The schema of the properties whose names match. */
interface Pattern {
  matches(name: string): boolean;
  readonly schema: Schema;
}

interface InnerShapes {
  all(schemas: readonly Schema[]): Shape;
  alternatives(): readonly Alternative[];
  /** Tells whether a typed value fits every part. */
  accepts(value: unknown): boolean;
  /** Lists the patterns of names that a part has, and the schemas of what has such names. */
  patternsOf(part: Schema): readonly Pattern[];
}

/** Makes a shape; its inner shapes are made when they are first read. */
function makeShape(plan: ShapeParts, inner: InnerShapes): Shape {
  const { parts, always, named, component } = plan;
  const first = <Key extends keyof Schema>(key: Key): Schema[Key] | undefined =>
    parts.find((part) => part[key] !== undefined)?.[key];
  const alternatives = lazy(inner.alternatives);
  const properties = lazy(() => propertiesOf(plan, inner, alternatives()));
  const prefixItems = lazy(() => prefixItemsOf(parts, inner));
  const items = lazy(() => itemsOf(parts, inner));
  const additional = lazy(() => additionalOf(parts, inner));
  const patterned = lazy(() => patternedOf(parts, inner));
  const given = first('default');
  // A default that does not fit would have every request refused that relies on it.
  const defaultValue = lazy(() => {
    const isFitting = () => inner.accepts(compileCoercion(shape, 'storage')(given));
    return given !== undefined && drawFrom(undefined, isFitting) ? given : undefined;
  });
  const type = typeOf(parts);
  const shape: Shape = {
    type,
    format: first('format'),
    isBinary: (type === 'string' || type === 'any') && isBinary(parts),
    contentEncoding: first('contentEncoding'),
    contentMediaType: first('contentMediaType'),
    nullable: always.every(({ types }) => types?.includes('null') ?? true),
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
    isRequired: (name) => parts.some(({ required }) => required.includes(name)),
    get prefixItems() {
      return prefixItems();
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
    get patterned() {
      return patterned();
    },
    get alternatives() {
      return alternatives();
    },
    get ignoresUndeclared() {
      return properties().size > 0 && parts.every((part) => ignoresUndeclared(part, properties()));
    },
    comparesWhole: parts.some(comparesWhole) || typesOf(parts).length > 1,
  };
  return shape;
}

/** Returns the type; of several that are possible none. */
function typeOf(parts: readonly Schema[]): ShapeType {
  const [type, another] = typesOf(parts);
  if (another !== undefined) return 'any';
  return (
    type ??
    parts.flatMap(({ types = [] }) => types).find((one) => one !== 'null') ??
    impliedType(parts)
  );
}

const describesObjects = ({ properties, patternProperties, additionalProperties }: Schema) =>
  (properties ?? patternProperties) !== undefined ||
  (additionalProperties !== undefined && !isNever(additionalProperties));

const describesLists = ({ items, prefixItems }: Schema): boolean =>
  items !== undefined || prefixItems.length > 0;

function impliedType(parts: readonly Schema[]): ShapeType {
  if (parts.some(describesObjects)) return 'object';
  if (parts.some(describesLists)) return 'array';
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
  { parts, choices }: ShapeParts,
  inner: InnerShapes,
  alternatives: readonly Alternative[],
): ReadonlyMap<string, Shape> {
  const own = new Map<string, readonly Schema[]>();
  for (const [name, schema] of parts.flatMap((part) => [...(part.properties ?? [])])) {
    own.set(name, [...(own.get(name) ?? []), schema]);
  }
  for (const part of parts.filter(({ patternProperties }) => patternProperties !== undefined)) {
    for (const [name, schemas] of own) {
      const matching = inner.patternsOf(part).filter(({ matches }) => matches(name));
      own.set(name, [...schemas, ...matching.map(({ schema }) => schema)]);
    }
  }
  // Where too many choices have been made, the properties of those that are left are known all the same.
  const left = alternatives.length > 0 ? [] : choices.flatMap(({ ways }) => ways.flat());
  const others = [
    ...alternatives.map(({ shape }) => shape),
    ...left.map((one) => inner.all([one])),
  ];
  const properties = new Map([...own].map(([name, schemas]) => [name, inner.all(schemas)]));
  const more = [
    ...others.flatMap((shape) => [...shape.properties]),
    ...parts.flatMap(writeOnlyOfMapped).map(([name, one]) => [name, inner.all([one])] as const),
  ];
  for (const [name, property] of more) {
    if (!properties.has(name)) properties.set(name, property);
  }
  return properties;
}

/** Lists the properties of what a discriminator leads to that no response may show; of its other properties nothing is known here. */
const writeOnlyOfMapped = ({ discriminator }: Schema): (readonly [string, Schema])[] =>
  [...(discriminator?.mapping.values() ?? [])]
    .flatMap((mapped) => readableParts(mapped))
    .flatMap((part) => [...(part.properties ?? [])])
    .filter(([, schema]) => readableParts(schema).some(({ writeOnly }) => writeOnly));

function prefixItemsOf(parts: readonly Schema[], inner: InnerShapes): readonly Shape[] {
  const length = Math.max(0, ...parts.map(({ prefixItems }) => prefixItems.length));
  return Array.from({ length }, (_, index) =>
    inner.all(parts.flatMap(({ prefixItems, items }) => prefixItems[index] ?? items ?? [])),
  );
}

function itemsOf(parts: readonly Schema[], inner: InnerShapes): Shape | undefined {
  const schemas = parts.flatMap(({ items }) => items ?? []);
  const others =
    schemas.length > 0 ? schemas : parts.flatMap((part) => part.unevaluatedItems ?? []);
  return others.length === 0 ? undefined : inner.all(others);
}

function additionalOf(parts: readonly Schema[], inner: InnerShapes): Shape | boolean {
  const given = parts.flatMap((part) => part.additionalProperties ?? []);
  const others =
    given.length > 0 ? given : parts.flatMap((part) => part.unevaluatedProperties ?? []);
  if (others.some(isNever)) return false;
  return others.every((schema) => constraintsOf(schema).length === 0) ? true : inner.all(others);
}

function patternedOf(parts: readonly Schema[], inner: InnerShapes): PatternedShapes | undefined {
  const patterns = parts.flatMap(inner.patternsOf);
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
      const matching = patterns.map(({ matches }) => (matches(name) ? '1' : '0')).join('');
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

interface ShapePlan extends ShapeParts {
  /** The number of choices made so far. */
  readonly made: number;
  /** The number of combinations among which they were made. */
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

  const patternsOf = memoize(({ patternProperties = new Map() }: Schema): readonly Pattern[] =>
    [...patternProperties].map(([pattern, schema]) => ({
      matches: patternTest(pattern),
      schema,
    })),
  );

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
      patternsOf,
    });
    shapes.set(key, shape);
    return shape;
  };

  return (schema) => shapeOfPlan(initialPlan([schema]));
}

/** Adds schemas to those that hold together. */
function withSchemas(
  { parts, always, choices }: Pick<ShapeParts, 'parts' | 'always' | 'choices'>,
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
    choices: [...choices, ...added.flatMap(choicesOf)],
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
  const [choice = typeChoice(plan.parts), ...choices] = plan.choices;
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
