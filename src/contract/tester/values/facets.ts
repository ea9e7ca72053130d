/** The keywords of a schema and of the members of its allOf together, so that one of them can be reversed. */

import type { Schema } from '../../../model/schema';
import {
  allowsNull,
  declaredNames,
  enumeratedValues,
  impliedType,
  keywordValues,
  propertySchemas,
  type SamplePlan,
} from '../../../schema/samples/sample-plan';

/** A limit of a number; `exclusive` where the limit itself does not fit. */
export interface Limit {
  readonly value: number | bigint;
  readonly exclusive: boolean;
}

/** Keywords of several schemas as one: the strictest of each. */
export interface Facets {
  readonly type: string;
  readonly format: string | undefined;
  readonly nullable: boolean;
  readonly enumerated: readonly unknown[] | undefined;
  readonly minimum: Limit | undefined;
  readonly maximum: Limit | undefined;
  readonly multipleOf: number | undefined;
  readonly minLength: number;
  readonly maxLength: number | undefined;
  readonly patterns: readonly string[];
  readonly minItems: number;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  /** The schemas of each item; empty where any will do. */
  readonly items: readonly Schema[];
  /** The schemas of each declared property. */
  readonly properties: ReadonlyMap<string, readonly Schema[]>;
  readonly required: ReadonlySet<string>;
  /** The schemas of undeclared properties; undefined where none may be there. */
  readonly additional: readonly Schema[] | undefined;
  readonly minProperties: number;
  readonly maxProperties: number | undefined;
}

type Count = 'Length' | 'Items' | 'Properties';

const greatest = (plan: SamplePlan, keyword: `min${Count}`): number =>
  Math.max(0, ...keywordValues(plan, keyword));

const smallest = (plan: SamplePlan, keyword: `max${Count}`): number | undefined => {
  const values = keywordValues(plan, keyword);
  return values.length === 0 ? undefined : Math.min(...values);
};

const limitsOf = (
  plan: SamplePlan,
  inclusive: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): Limit[] => [
  ...keywordValues(plan, inclusive).map((value) => ({ value, exclusive: false })),
  ...keywordValues(plan, exclusive).map((value) => ({ value, exclusive: true })),
];

/** The limit that leaves least; of two at the same value the exclusive one. */
const strictest = (limits: readonly Limit[], sign: 1 | -1): Limit | undefined =>
  limits.toSorted(
    (one, other) =>
      sign * (Number(other.value) - Number(one.value)) ||
      Number(other.exclusive) - Number(one.exclusive),
  )[0];

/** A name that no document declares. */
export const undeclaredName = 'undeclaredByTheDocument';

/** Reads the facets of a plan, its unions left aside. */
export const facetsOf = (plan: SamplePlan): Facets => ({
  type: impliedType(plan),
  format: keywordValues(plan, 'format')[0],
  nullable: keywordValues(plan, 'types').length > 0 && allowsNull(plan),
  enumerated: enumeratedValues(plan),
  minimum: strictest(limitsOf(plan, 'minimum', 'exclusiveMinimum'), 1),
  maximum: strictest(limitsOf(plan, 'maximum', 'exclusiveMaximum'), -1),
  multipleOf: keywordValues(plan, 'multipleOf').map(Number)[0],
  minLength: greatest(plan, 'minLength'),
  maxLength: smallest(plan, 'maxLength'),
  patterns: keywordValues(plan, 'pattern'),
  minItems: greatest(plan, 'minItems'),
  maxItems: smallest(plan, 'maxItems'),
  uniqueItems: keywordValues(plan, 'uniqueItems').includes(true),
  items: keywordValues(plan, 'items'),
  properties: new Map(
    [...new Set(declaredNames(plan))].map((name) => [name, propertySchemas(plan, name) ?? []]),
  ),
  required: new Set(keywordValues(plan, 'required').flat()),
  additional: propertySchemas(plan, undeclaredName),
  minProperties: greatest(plan, 'minProperties'),
  maxProperties: smallest(plan, 'maxProperties'),
});

/** Tells whether the schema of a property is marked, by itself or by a member of its allOf. */
export const isMarked = (plan: SamplePlan, mark: 'readOnly' | 'writeOnly'): boolean =>
  plan.parts.some((part) => part[mark]);
