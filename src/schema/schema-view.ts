/** The merged view of schemas that hold together: what all of them say of a value, of its properties by name and its items by index. */

import { compareExactly, type ExactNumber } from '../base/exact-number';
import { pointerTo } from '../base/json-pointer';
import {
  constraintsOf,
  isBinary,
  isNever,
  type JsonType,
  type Schema,
  schemasInPlace,
} from '../model/schema';
import { addMembers, withBranches } from './schema-parts';
import { valueKey } from './validation/checks/equality-checks';
import { matches } from './validation/checks/pattern-check';

/** A limit of numbers, or of a count; `exclusive` where the limit itself does not fit. */
export interface Limit {
  readonly value: ExactNumber;
  readonly exclusive: boolean;
}

/** A schema that constrains a property, and its place. */
interface Constraint {
  readonly schema: Schema;
  readonly pointer: string;
}

/** Types, and the keywords that imply them, in the order in which they decide. */
type ImplyingKeywords = readonly (readonly [JsonType, readonly (keyof Schema)[]])[];

/** The keywords for members: by them alone it is known what is inside of a value. */
export const memberKeywords: ImplyingKeywords = [
  ['object', ['properties', 'patternProperties', 'additionalProperties']],
  ['array', ['prefixItems', 'items']],
];

/** All keywords that concern one type alone: a value that shows what they say is of this type. */
const typicalKeywords: ImplyingKeywords = [
  [
    'object',
    [
      'properties',
      'patternProperties',
      'additionalProperties',
      'propertyNames',
      'unevaluatedProperties',
      'required',
      'minProperties',
      'maxProperties',
    ],
  ],
  [
    'array',
    ['prefixItems', 'items', 'contains', 'unevaluatedItems', 'minItems', 'maxItems', 'uniqueItems'],
  ],
  ['string', ['pattern', 'minLength', 'maxLength', 'format', 'contentEncoding']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

const itemOf = ({ prefixItems, items }: Schema, index: number): readonly Schema[] => {
  const schema = prefixItems[index] ?? items;
  return schema === undefined ? [] : [schema];
};

/** Lists the constraints of a part itself on a property. */
const constraintsIn = (
  part: Schema,
  name: string | undefined,
  isMatching: (pattern: string) => boolean,
): readonly Constraint[] => {
  const { pointer, properties, patternProperties = [], additionalProperties } = part;
  const own = name === undefined ? undefined : properties?.get(name);
  const at = (keyword: string, key: string) => pointerTo(pointerTo(pointer, keyword), key);
  const found = [...patternProperties]
    .filter(([pattern]) => isMatching(pattern))
    .map(([pattern, schema]) => ({ schema, pointer: at('patternProperties', pattern) }));
  if (own !== undefined) found.unshift({ schema: own, pointer: at('properties', name ?? '') });
  if (found.length > 0 || additionalProperties === undefined) return found;
  return [{ schema: additionalProperties, pointer: pointerTo(pointer, 'additionalProperties') }];
};

/** Tells whether a part, its members, or branches of its unions that hold evaluate something. */
const isEvaluated = (
  { parts }: SchemaView,
  part: Schema,
  keyword: 'unevaluatedProperties' | 'unevaluatedItems',
  evaluates: (part: Schema) => boolean,
): boolean => {
  const inPlace = (schema: Schema) =>
    schemasInPlace(schema).filter((inner) => parts.includes(inner));
  return [...addMembers(new Set(), part, inPlace)].some(
    (member) => evaluates(member) || (member !== part && member[keyword] !== undefined),
  );
};

/**
 * Returns what is above 0 where the first limit is the stricter one.
 * @param sense 1 for limits from below, -1 for those from above
 */
export const compareStrictness = (one: Limit, other: Limit, sense: 1 | -1): number =>
  sense * compareExactly(one.value, other.value) || Number(one.exclusive) - Number(other.exclusive);

/** Returns the strictest of limits; undefined of none. */
export const strictest = <One extends Limit>(
  limits: readonly One[],
  sense: 1 | -1,
): One | undefined => limits.toSorted((one, other) => compareStrictness(other, one, sense))[0];

const limitOf = (
  view: SchemaView,
  inclusive: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): Limit | undefined =>
  strictest(
    [
      ...view.values(inclusive).map((value) => ({ value, exclusive: false })),
      ...view.values(exclusive).map((value) => ({ value, exclusive: true })),
    ],
    inclusive === 'minimum' ? 1 : -1,
  );

/** Returns the first index at which no item may be. */
const endOfItems = (view: SchemaView): number => {
  const indexes = Array.from({ length: view.positions + 1 }, (_, index) => index);
  return indexes.find((index) => view.itemAt(index) === undefined) ?? Number.POSITIVE_INFINITY;
};

type Count = 'Length' | 'Items' | 'Properties';

const greatest = (view: SchemaView, keyword: `min${Count}`): number =>
  Math.max(0, ...view.values(keyword));

const smallest = (view: SchemaView, keyword: `max${Count}`): number =>
  Math.min(Number.POSITIVE_INFINITY, ...view.values(keyword));

/** Gives schemas unless one of them lets nothing through. */
const possible = (schemas: readonly Schema[]): readonly Schema[] | undefined =>
  schemas.some(isNever) ? undefined : schemas;

/** Schemas that all hold for one value, as one. Limits that are not set are 0 and infinite. */
export class SchemaView {
  /** None: any value. */
  readonly parts: readonly Schema[];

  constructor(parts: readonly Schema[]) {
    this.parts = parts;
  }

  /** Lists the values of one keyword, in the order of the parts that have it. */
  values<Keyword extends keyof Schema>(keyword: Keyword): NonNullable<Schema[Keyword]>[] {
    return this.parts
      .map((part) => part[keyword])
      .filter((value) => value !== undefined && value !== null);
  }

  /** Tells whether a part is marked. */
  isMarked(mark: 'readOnly' | 'writeOnly'): boolean {
    return this.parts.some((part) => part[mark]);
  }

  /** The types that all parts allow, in the order in which they are named; undefined where none names any. */
  get sharedTypes(): readonly JsonType[] | undefined {
    const lists = this.values('types');
    if (lists.length === 0) return undefined;
    const allowed = [...new Set(lists.flat())].filter((type) =>
      lists.every(
        (names) => names.includes(type) || (type === 'integer' && names.includes('number')),
      ),
    );
    // An integer is a number, too.
    return allowed.filter((type) => type !== 'integer' || !allowed.includes('number'));
  }

  /** The types that all parts allow, null aside, in the order in which texts are read by them (`5` is a number before it is a text): none where no part names any. */
  get readTypes() {
    const shared = this.sharedTypes;
    const readingOrder = ['integer', 'number', 'boolean', 'string', 'array', 'object'] as const;
    return readingOrder.filter((type) => shared?.includes(type));
  }

  /** The first type that a part names, null aside, whatever the others say. */
  get namedType(): JsonType | undefined {
    return this.values('types')
      .flat()
      .find((type) => type !== 'null');
  }

  /**
   * Gives the type that keywords imply where none is named.
   * @param isClosing false where `additionalProperties: false` alone makes no object, since it says nothing of what is inside
   */
  impliedType(keywords = typicalKeywords, isClosing = true): JsonType | undefined {
    const stated = new Set(
      this.parts.flatMap((part) =>
        constraintsOf(part).filter(
          (keyword) =>
            isClosing || keyword !== 'additionalProperties' || !isNever(part[keyword] ?? part),
        ),
      ),
    );
    return keywords.find(([, own]) => own.some((keyword) => stated.has(keyword)))?.[0];
  }

  /** The type that is named or, by the keywords, implied, of several the first; `any` where they say nothing, `none` where no value fits. */
  get type(): JsonType | 'any' | 'none' {
    const types = this.sharedTypes;
    if (types !== undefined) return types.find((type) => type !== 'null') ?? types[0] ?? 'none';
    return this.impliedType() ?? (this.values('contentEncoding').length > 0 ? 'string' : 'any');
  }

  get nullable(): boolean {
    return this.sharedTypes?.includes('null') ?? false;
  }

  /** The members that all enums share; undefined where there is no enum. */
  get enumerated(): readonly unknown[] | undefined {
    const [first, ...others] = this.values('enum');
    if (first === undefined) return undefined;
    const allowed = others.map((values) => new Set(values.map(valueKey)));
    return first.filter((value) => allowed.every((keys) => keys.has(valueKey(value))));
  }

  /** True where values are octets in place of a text. */
  get isBinary(): boolean {
    return isBinary(this.parts);
  }

  get minimum(): Limit | undefined {
    return limitOf(this, 'minimum', 'exclusiveMinimum');
  }

  get maximum(): Limit | undefined {
    return limitOf(this, 'maximum', 'exclusiveMaximum');
  }

  get minLength(): number {
    return greatest(this, 'minLength');
  }

  get maxLength(): number {
    return smallest(this, 'maxLength');
  }

  /** The patterns that a text is best without: what must not hold does not where no pattern of it does. */
  get forbidden(): readonly string[] {
    return withBranches(this.values('not')).flatMap(({ pattern }) => pattern ?? []);
  }

  get minItems(): number {
    return greatest(this, 'minItems');
  }

  /** The number of items at most, also where no further one is allowed. */
  get maxItems(): number {
    return Math.min(smallest(this, 'maxItems'), endOfItems(this));
  }

  get uniqueItems(): boolean {
    return this.values('uniqueItems').includes(true);
  }

  /** The number of items that may have schemas of their own. */
  get positions(): number {
    return Math.max(0, ...this.parts.map(({ prefixItems }) => prefixItems.length));
  }

  /** The schemas that so many items must fit. */
  get contained() {
    return this.parts.flatMap(({ contains: schema, minContains, maxContains }) =>
      schema === undefined
        ? []
        : [{ schema, least: minContains ?? 1, most: maxContains ?? Number.POSITIVE_INFINITY }],
    );
  }

  /** The keyword by which a list ends where no further item is allowed. */
  get closesItems(): 'items' | 'unevaluatedItems' | undefined {
    const end = endOfItems(this);
    if (end === Number.POSITIVE_INFINITY || end > smallest(this, 'maxItems')) return undefined;
    return this.values('items').some(isNever) ? 'items' : 'unevaluatedItems';
  }

  /** Lists the schemas of the item at an index. */
  itemSchemas(index: number): readonly Schema[] {
    return this.parts.flatMap((part) => {
      const own = itemOf(part, index);
      if (own.length > 0 || part.unevaluatedItems === undefined) return own;
      const evaluates = (schema: Schema) => itemOf(schema, index).length > 0;
      return isEvaluated(this, part, 'unevaluatedItems', evaluates) ? [] : [part.unevaluatedItems];
    });
  }

  /** Lists the same; undefined where no item may be. */
  itemAt(index: number): readonly Schema[] | undefined {
    return possible(this.itemSchemas(index));
  }

  /** The names of declared properties. */
  get names(): readonly string[] {
    return [...new Set(this.values('properties').flatMap((all) => [...all.keys()]))];
  }

  get required(): ReadonlySet<string> {
    return new Set(this.values('required').flat());
  }

  get minProperties(): number {
    return greatest(this, 'minProperties');
  }

  get maxProperties(): number {
    return smallest(this, 'maxProperties');
  }

  /** Lists the schemas that declare a property by its name. */
  declared(name: string): readonly Schema[] {
    return this.parts.flatMap(({ properties }) => properties?.get(name) ?? []);
  }

  /** Lists the schemas of the patterns that a name matches. */
  patterned(name: string): readonly Schema[] {
    return this.values('patternProperties').flatMap((all) =>
      [...all].flatMap(([pattern, schema]) => (matches(pattern)(name) ? schema : [])),
    );
  }

  /**
   * Lists the constraints of the parts on a property: by its name and patterns, else by `additionalProperties`, else what `unevaluatedProperties`
   * say of what no other keyword has looked at.
   * @param name undefined: of those that no part declares
   * @param isMatching tells which patterns they match
   */
  constraintsOn(
    name: string | undefined,
    isMatching = (pattern: string) => name !== undefined && matches(pattern)(name),
  ): readonly Constraint[] {
    const keyword = 'unevaluatedProperties';
    return this.parts.flatMap((part) => {
      const found = constraintsIn(part, name, isMatching);
      const { [keyword]: schema, pointer } = part;
      if (found.length > 0 || schema === undefined) return found;
      const evaluates = (schema: Schema) => constraintsIn(schema, name, isMatching).length > 0;
      return isEvaluated(this, part, keyword, evaluates)
        ? []
        : [{ schema, pointer: pointerTo(pointer, keyword) }];
    });
  }

  /** Lists the schemas of a property, declared by name or not; undefined where it is not allowed. */
  propertyAt(name: string): readonly Schema[] | undefined {
    return possible(this.constraintsOn(name).map(({ schema }) => schema));
  }
}

/** Views a schema with its members. Throws where a reference leads nowhere. */
export const strictView = (schema: Schema): SchemaView =>
  new SchemaView([...addMembers(new Set(), schema)]);

/** Views the same, with references that lead nowhere; nothing of undefined. */
export const viewOf = (schema: Schema | undefined): SchemaView => {
  const parts = new Set<Schema>();
  const add = (part: Schema): void => {
    if (parts.has(part)) return;
    parts.add(part);
    part.members.forEach(add);
  };
  if (schema !== undefined) add(schema);
  return new SchemaView([...parts]);
};

/** Makes a view that is as the given one, but for some of what it says. */
export const changedView = <View extends SchemaView>(view: View, changes: Partial<View>): View =>
  Object.create(view, Object.getOwnPropertyDescriptors(changes));
