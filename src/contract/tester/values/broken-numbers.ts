/** What breaks the rules of numbers; and what breaking a rule is. */

import fc from 'fast-check';
import type { Facets, Limit } from './facets';
import { integerRange } from './numbers';

/** The keyword that a value breaks. */
export type BrokenRule =
  | 'type'
  | 'format'
  | 'nullable'
  | 'enum'
  | 'minimum'
  | 'maximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'required'
  | 'additionalProperties'
  | 'minProperties'
  | 'maxProperties';

/** A rule, and values that break it; undefined where none was found. */
export interface Broken {
  readonly broken: BrokenRule;
  readonly value: fc.Arbitrary<unknown> | undefined;
}

/** Some values, for a rule that needs no others. */
export const constants = (broken: BrokenRule, ...values: readonly unknown[]): Broken => ({
  broken,
  value: values.length === 0 ? undefined : fc.constantFrom(...values),
});

/** The plan's values with other facets, where nothing enumerates them. */
export type Turn = (changed: Partial<Facets>) => fc.Arbitrary<unknown> | undefined;

/** A limit that begins where the other one ends. */
const beyond = ({ value, exclusive }: Limit): Limit => ({ value, exclusive: !exclusive });

const brokenLimits = ({ minimum, maximum }: Facets, turn: Turn): Broken[] => [
  ...(minimum
    ? [
        {
          broken: 'minimum' as const,
          value: turn({ minimum: undefined, maximum: beyond(minimum) }),
        },
      ]
    : []),
  ...(maximum
    ? [
        {
          broken: 'maximum' as const,
          value: turn({ maximum: undefined, minimum: beyond(maximum) }),
        },
      ]
    : []),
];

const brokenMultiple = (facets: Facets, turn: Turn): Broken[] => {
  const { multipleOf: step } = facets;
  if (step === undefined || (facets.type === 'integer' && step <= 1)) return [];
  const offset = facets.type === 'integer' ? 1 : step / 2;
  const value = turn({})?.map((one) =>
    typeof one === 'bigint' ? one + BigInt(Math.trunc(offset)) : Number(one) + offset,
  );
  return [{ broken: 'multipleOf', value }];
};

const brokenRange = (facets: Facets): Broken => {
  if (facets.format !== 'int32' && facets.format !== 'int64') return constants('format');
  const { least, most } = integerRange({ ...facets, minimum: undefined, maximum: undefined });
  return constants(
    'format',
    ...(facets.maximum ? [] : [most + 1n]),
    ...(facets.minimum ? [] : [least - 1n]),
  );
};

/** The rules of a number, each broken. */
export const brokenNumber = (facets: Facets, turn: Turn): Broken[] => [
  ...brokenLimits(facets, turn),
  ...brokenMultiple(facets, turn),
  ...(facets.type === 'integer' ? [brokenRange(facets)] : []),
];
