/** The keywords of the schemas of a plan as one: the strictest of each, so that values can be made, and one of them reversed. */

import { compareExactly } from '../../base/exact-number';
import { memoize } from '../../base/memoize';
import {
  constraintsOf,
  type ExactNumber,
  isBinary,
  isNever,
  type JsonType,
  type Schema,
} from '../../model/schema';
import { sharedTypes } from '../choices';
import { addMembers } from '../schema-parts';
import { valueKey } from '../validation/checks/equality-checks';
import { matches } from '../validation/checks/pattern-check';
import { keywordValues, type SamplePlan } from './sample-plan';

/** A limit of a number; `exclusive` where the limit itself does not fit. */
export interface Limit {
  readonly value: ExactNumber;
  readonly exclusive: boolean;
}

const typical: readonly (readonly [JsonType, readonly (keyof Schema)[]])[] = [
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

/** The type that is named or, by the keywords, implied; `any` where they say nothing, `none` where no value fits. */
type SampledType = JsonType | 'any' | 'none';

const typeOf = (plan: SamplePlan): SampledType => {
  const types = sharedTypes(plan.parts);
  if (types !== undefined) return types.find((type) => type !== 'null') ?? types[0] ?? 'none';
  const said = new Set(plan.parts.flatMap((part) => [...constraintsOf(part)]));
  const annotated = plan.parts.some(({ contentEncoding }) => contentEncoding !== undefined);
  const guess = typical.find(([, keywords]) => keywords.some((keyword) => said.has(keyword)));
  return guess?.[0] ?? (annotated ? 'string' : 'any');
};

const strictest = (
  plan: SamplePlan,
  inclusive: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): Limit | undefined =>
  [
    ...keywordValues(plan, inclusive).map((value) => ({ value, exclusive: false })),
    ...keywordValues(plan, exclusive).map((value) => ({ value, exclusive: true })),
  ].reduce<Limit | undefined>((best, limit) => {
    if (best === undefined) return limit;
    const order = compareExactly(limit.value, best.value);
    if (order === 0) return limit.exclusive ? limit : best;
    return order > 0 === (inclusive === 'minimum') ? limit : best;
  }, undefined);

type Count = 'Length' | 'Items' | 'Properties';

const greatest = (plan: SamplePlan, keyword: `min${Count}`): number =>
  Math.max(0, ...keywordValues(plan, keyword));

const smallest = (plan: SamplePlan, keyword: `max${Count}`): number =>
  Math.min(Number.POSITIVE_INFINITY, ...keywordValues(plan, keyword));

/** Lists the members that all enums share; undefined where there is no enum. */
const enumeratedValues = (plan: SamplePlan): readonly unknown[] | undefined => {
  const [first, ...others] = keywordValues(plan, 'enum');
  if (first === undefined) return undefined;
  const allowed = others.map((values) => new Set(values.map(valueKey)));
  return first.filter((value) => allowed.every((keys) => keys.has(valueKey(value))));
};

const allowed = (schemas: readonly Schema[]): readonly Schema[] | undefined =>
  schemas.some(isNever) ? undefined : schemas;

/** Gives the schemas of a part of a value, or those for what no other keyword has looked at. */
const schemasAt = (
  { parts }: SamplePlan,
  schemasOf: (part: Schema) => readonly Schema[],
  unevaluated: 'unevaluatedItems' | 'unevaluatedProperties',
): readonly Schema[] | undefined => {
  const evaluated = parts.flatMap(schemasOf);
  return allowed(
    evaluated.length > 0 ? evaluated : parts.flatMap((part) => part[unevaluated] ?? []),
  );
};

const propertySchemas =
  (name: string) =>
  (part: Schema): readonly Schema[] => {
    const declared = part.properties?.get(name);
    const matching = [...(part.patternProperties ?? [])]
      .filter(([pattern]) => matches(pattern)(name))
      .map(([, schema]) => schema);
    const own = declared === undefined ? matching : [declared, ...matching];
    return own.length > 0 ? own : [part.additionalProperties ?? []].flat();
  };

const itemSchemas =
  (index: number) =>
  (part: Schema): readonly Schema[] =>
    [part.prefixItems[index] ?? part.items ?? []].flat();

/** Lists the patterns of what must not hold; none holds where no pattern of it does, as far as patterns decide. */
const forbiddenPatterns = ({ not }: Schema): readonly string[] => {
  const branches = (part: Schema) => [...part.members, ...part.oneOf, ...part.anyOf];
  const parts = not === undefined ? [] : [...addMembers(new Set(), not, branches)];
  return parts.flatMap(({ pattern }) => pattern ?? []);
};

const isBase64 = (plan: SamplePlan): boolean =>
  keywordValues(plan, 'contentEncoding').some((encoding) => /^base64$/i.test(encoding));

/** Merges the keywords of a plan, its unions left aside. Limits that are not set are 0 and infinite. */
export const facetsOf = memoize((plan: SamplePlan) => {
  /** Gives the schemas of the item at an index; undefined where none may be there. */
  const itemAt = (index: number) => schemasAt(plan, itemSchemas(index), 'unevaluatedItems');
  const positions = Math.max(0, ...plan.parts.map(({ prefixItems }) => prefixItems.length));
  const end = Array.from({ length: positions + 1 }, (_, index) => index).find(
    (index) => itemAt(index) === undefined,
  );
  const isClosed = end !== undefined && end <= smallest(plan, 'maxItems');
  const byItems = keywordValues(plan, 'items').some(isNever);
  const closing: keyof Schema = byItems ? 'items' : 'unevaluatedItems';
  return {
    type: typeOf(plan),
    nullable: sharedTypes(plan.parts)?.includes('null') ?? false,
    // OAS 3.1.2, Data Type Format: base64 was the format byte before it was an encoding.
    format: keywordValues(plan, 'format')[0] ?? (isBase64(plan) ? 'byte' : undefined),
    /** Octets in place of a text. */
    isBinary: isBinary(plan.parts),
    enumerated: enumeratedValues(plan),
    minimum: strictest(plan, 'minimum', 'exclusiveMinimum'),
    maximum: strictest(plan, 'maximum', 'exclusiveMaximum'),
    /** Every multipleOf. */
    divisors: keywordValues(plan, 'multipleOf'),
    minLength: greatest(plan, 'minLength'),
    maxLength: smallest(plan, 'maxLength'),
    patterns: keywordValues(plan, 'pattern'),
    /** The patterns that a text is best without. */
    forbidden: plan.parts.flatMap(forbiddenPatterns),
    /** The value that a text holds in another format. */
    content: {
      mediaType: keywordValues(plan, 'contentMediaType')[0] ?? '',
      encoding: keywordValues(plan, 'contentEncoding')[0] ?? '',
      schemas: keywordValues(plan, 'contentSchema'),
    },
    minItems: greatest(plan, 'minItems'),
    maxItems: Math.min(smallest(plan, 'maxItems'), end ?? Number.POSITIVE_INFINITY),
    uniqueItems: keywordValues(plan, 'uniqueItems').includes(true),
    /** The number of items that have schemas of their own. */
    positions,
    /** The schemas that so many items must fit. */
    contained: plan.parts.flatMap(({ contains: schema, minContains, maxContains }) =>
      schema === undefined
        ? []
        : [{ schema, least: minContains ?? 1, most: maxContains ?? Number.POSITIVE_INFINITY }],
    ),
    /** The keyword by which a list ends where no further item is allowed. */
    closesItems: isClosed ? closing : undefined,
    itemAt,
    /** The names of declared properties. */
    names: [...new Set(keywordValues(plan, 'properties').flatMap((all) => [...all.keys()]))],
    /** The patterns of patternProperties. */
    namePatterns: keywordValues(plan, 'patternProperties').flatMap((all) => [...all.keys()]),
    /** The schemas of the names of all properties. */
    nameSchemas: keywordValues(plan, 'propertyNames'),
    required: new Set(keywordValues(plan, 'required').flat()),
    minProperties: greatest(plan, 'minProperties'),
    maxProperties: smallest(plan, 'maxProperties'),
    /** Gives the schemas of a property, declared by name or not; undefined where it is not allowed. */
    propertyAt: (name: string) => schemasAt(plan, propertySchemas(name), 'unevaluatedProperties'),
  };
});

/** The merged keywords of a plan. */
export type Facets = Readonly<ReturnType<typeof facetsOf>>;

/** Tells whether a schema of the plan is marked. */
export const isMarked = ({ parts }: SamplePlan, mark: 'readOnly' | 'writeOnly'): boolean =>
  parts.some((part) => part[mark]);

/** Lists the schemas of the first items of a list, those that it must contain behind the ones with a place of their own. */
export const slotsOf = (facets: Facets, count: number): readonly (readonly Schema[])[] => {
  const wanted = facets.contained.flatMap(({ schema, least }) =>
    Array.from({ length: Math.min(least, count) }, () => schema),
  );
  const first = Math.max(0, Math.min(facets.positions, count - wanted.length));
  return Array.from({ length: count }, (_, index) => [
    ...(facets.itemAt(index) ?? []),
    ...(index < first ? [] : wanted.slice(index - first, index - first + 1)),
  ]);
};

/** The number of items that a list is made of at least, those with a place of their own before those that it must contain. */
export const leastItems = ({ minItems, maxItems, positions, contained }: Facets): number => {
  const wanted = contained.reduce((sum, { least }) => sum + least, 0);
  return Math.max(minItems, wanted === 0 ? 0 : Math.min(maxItems, positions + wanted));
};
