/** The keywords of a schema and of the members of its allOf together, so that one of them can be reversed. */

import { isPlainObject } from '../../../base/plain-object';
import {
  allowsNull,
  declaredNames,
  enumeratedValues,
  impliedType,
  keywordValues,
  propertySchemas,
  type SamplePlan,
} from '../../../engine';

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
  readonly items: readonly unknown[];
  /** The schemas of each declared property. */
  readonly properties: ReadonlyMap<string, readonly unknown[]>;
  readonly required: ReadonlySet<string>;
  /** The schemas of undeclared properties; undefined where none may be there. */
  readonly additional: readonly unknown[] | undefined;
  readonly minProperties: number;
  readonly maxProperties: number | undefined;
}

const numbersOf = (plan: SamplePlan, keyword: string): number[] =>
  keywordValues(plan, keyword).filter((value) => typeof value === 'number');

const greatest = (plan: SamplePlan, keyword: string): number =>
  Math.max(0, ...numbersOf(plan, keyword));

const smallest = (plan: SamplePlan, keyword: string): number | undefined => {
  const values = numbersOf(plan, keyword);
  return values.length === 0 ? undefined : Math.min(...values);
};

const limitsOf = ({ parts }: SamplePlan, keyword: 'minimum' | 'maximum'): Limit[] =>
  parts.flatMap((part) => {
    const value: unknown = part[keyword];
    const isExclusive = part[keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'];
    return typeof value === 'number' || typeof value === 'bigint'
      ? [{ value, exclusive: isExclusive === true }]
      : [];
  });

/** The limit that leaves least; of two at the same value the exclusive one. */
const strictest = (limits: readonly Limit[], sign: 1 | -1): Limit | undefined =>
  limits.toSorted(
    (one, other) =>
      sign * (Number(other.value) - Number(one.value)) ||
      Number(other.exclusive) - Number(one.exclusive),
  )[0];

const flag = (plan: SamplePlan, keyword: string): boolean =>
  keywordValues(plan, keyword).includes(true);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A name that no document declares. */
export const undeclaredName = 'undeclaredByTheDocument';

/** Reads the facets of a plan, its unions left aside. */
export const facetsOf = (plan: SamplePlan): Facets => ({
  type: impliedType(plan),
  format: text(keywordValues(plan, 'format')[0]),
  nullable: keywordValues(plan, 'type').length > 0 && allowsNull(plan),
  enumerated: enumeratedValues(plan),
  minimum: strictest(limitsOf(plan, 'minimum'), 1),
  maximum: strictest(limitsOf(plan, 'maximum'), -1),
  multipleOf: numbersOf(plan, 'multipleOf')[0],
  minLength: greatest(plan, 'minLength'),
  maxLength: smallest(plan, 'maxLength'),
  patterns: keywordValues(plan, 'pattern').map(String),
  minItems: greatest(plan, 'minItems'),
  maxItems: smallest(plan, 'maxItems'),
  uniqueItems: flag(plan, 'uniqueItems'),
  items: keywordValues(plan, 'items'),
  properties: new Map(
    [...new Set(declaredNames(plan))].map((name) => [name, propertySchemas(plan, name) ?? []]),
  ),
  required: new Set(keywordValues(plan, 'required').flat().map(String)),
  additional: propertySchemas(plan, undeclaredName),
  minProperties: greatest(plan, 'minProperties'),
  maxProperties: smallest(plan, 'maxProperties'),
});

/** Tells whether the schema of a property is marked, by itself or by a member of its allOf. */
export const isMarked = (plan: SamplePlan, mark: 'readOnly' | 'writeOnly'): boolean =>
  plan.parts.some((part) => isPlainObject(part) && part[mark] === true);
