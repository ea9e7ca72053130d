/** Values that break one rule of a schema: every rule at every place. */

import fc from 'fast-check';
import { choicesOf, planOf, type SamplePlan } from '../../../schema/samples/sample-plan';
import { type Facets, facetsOf, isMarked, type Limit, undeclaredName } from './facets';
import { integerRange } from './numbers';
import { compilePattern, keepFitting, LONGEST, textArbitrary, textsAgainst } from './texts';
import { absent, facetsArbitrary, type Replacement, type ValueOptions } from './values';

/** The keyword that a value breaks. */
type BrokenRule =
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
interface Broken {
  readonly broken: BrokenRule;
  readonly value: fc.Arbitrary<unknown> | undefined;
}

/** Some values, for a rule that needs no others. */
export const constants = (broken: BrokenRule, ...values: readonly unknown[]): Broken => ({
  broken,
  value: values.length === 0 ? undefined : fc.constantFrom(...values),
});

/** The plan's values with other facets, where nothing enumerates them. */
type Turn = (changed: Partial<Facets>) => fc.Arbitrary<unknown> | undefined;

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
const brokenNumber = (facets: Facets, turn: Turn): Broken[] => [
  ...brokenLimits(facets, turn),
  ...brokenMultiple(facets, turn),
  ...(facets.type === 'integer' ? [brokenRange(facets)] : []),
];

const ofOtherTypes: Readonly<Record<string, readonly unknown[]>> = {
  string: [7, true, { a: 'b' }],
  integer: ['seven', 1.5, true, [1]],
  number: ['seven', true, {}],
  boolean: ['yes', 7, 'maybe'],
  array: ['one', 7, { a: 'b' }],
  object: ['text', 7, []],
};

const brokenLengths = ({ minLength, maxLength }: Facets, turn: Turn): Broken[] => [
  ...(minLength > 0
    ? [{ broken: 'minLength' as const, value: turn({ minLength: 0, maxLength: minLength - 1 }) }]
    : []),
  ...(maxLength !== undefined && maxLength < LONGEST
    ? [
        {
          broken: 'maxLength' as const,
          value: turn({ minLength: maxLength + 1, maxLength: maxLength + 1 }),
        },
      ]
    : []),
];

const brokenPattern = (facets: Facets, options: ValueOptions): Broken[] => {
  const [source] = facets.patterns;
  const expression = source === undefined ? undefined : compilePattern(source);
  if (expression === undefined) return [];
  const others = textArbitrary(
    { ...facets, patterns: [], format: undefined, minLength: Math.max(1, facets.minLength) },
    options.alphabet,
  );
  const marked = others?.chain((text) =>
    fc.constantFrom(text, `!${text.slice(1)}`, ` ${text.slice(2)} `, '~'.repeat(text.length)),
  );
  const value = marked && keepFitting(marked, (text) => !expression.test(text));
  return [{ broken: 'pattern', value }];
};

const brokenText = (facets: Facets, turn: Turn, options: ValueOptions): Broken[] => [
  ...brokenLengths(facets, turn),
  ...brokenPattern(facets, options),
  constants('format', ...textsAgainst(facets.format)),
];

const brokenList = (facets: Facets, turn: Turn): Broken[] => {
  const { minItems, maxItems, uniqueItems } = facets;
  const one = turn({ minItems: 1, maxItems: 1, uniqueItems: false });
  return [
    ...(minItems > 0
      ? [{ broken: 'minItems' as const, value: turn({ minItems: 0, maxItems: minItems - 1 }) }]
      : []),
    ...(maxItems !== undefined
      ? [
          {
            broken: 'maxItems' as const,
            value: turn({ minItems: maxItems + 1, maxItems: maxItems + 1 }),
          },
        ]
      : []),
    ...(uniqueItems && (maxItems ?? 2) >= 2
      ? [{ broken: 'uniqueItems' as const, value: one?.map(repeated(Math.max(2, minItems))) }]
      : []),
  ];
};

const repeated =
  (count: number) =>
  (list: unknown): unknown[] =>
    Array.isArray(list) ? Array.from({ length: count }, () => list[0]) : [];

const brokenCounts = ({ minProperties, required, maxProperties }: Facets, turn: Turn): Broken[] => [
  ...(minProperties > required.size
    ? [{ broken: 'minProperties' as const, value: turn({ minProperties: 0 }) }]
    : []),
  ...(maxProperties === undefined
    ? []
    : [
        {
          broken: 'maxProperties' as const,
          value: turn({ minProperties: maxProperties + 1, maxProperties: undefined }),
        },
      ]),
];

const byType = (facets: Facets, turn: Turn, options: ValueOptions): Broken[] => {
  switch (facets.type) {
    case 'string':
      return facets.format === 'binary' ? [] : brokenText(facets, turn, options);
    case 'integer':
    case 'number':
      return brokenNumber(facets, turn);
    case 'array':
      return brokenList(facets, turn);
    case 'object':
      return brokenCounts(facets, turn);
    default:
      return [];
  }
};

const brokenEnum = ({ enumerated, type }: Facets): Broken => {
  if (enumerated === undefined) return constants('enum');
  const texts = enumerated.filter((value) => typeof value === 'string');
  const swapped = texts.map((text) => text.toUpperCase()).filter((text) => !texts.includes(text));
  return type === 'integer' || type === 'number'
    ? constants('enum', 918_273)
    : constants('enum', 'noneOfThem', ...swapped.slice(0, 1));
};

const turnerOf =
  (facets: Facets, options: ValueOptions): Turn =>
  (changed) =>
    facetsArbitrary({ ...facets, enumerated: undefined, ...changed }, options);

/** Makes values that break the rules of the value itself. */
const brokenRules = (plan: SamplePlan, options: ValueOptions): Broken[] => {
  const facets = facetsOf(plan);
  const turn = turnerOf(facets, { ...options, replacement: undefined });
  const bounds =
    facets.enumerated === undefined ? byType(facets, turn, options) : [brokenEnum(facets)];
  return [
    ...bounds,
    constants('type', ...(ofOtherTypes[facets.type] ?? [])),
    constants('nullable', ...(facets.nullable || facets.type === 'any' ? [] : [null])),
  ];
};

/** A rule broken at one place; the values there are wrong so far as the keywords of the place tell. */
export interface WrongValue extends Replacement {
  readonly broken: BrokenRule;
}

const inside = (step: string, wrong: readonly WrongValue[]): WrongValue[] =>
  wrong.map(({ path, ...rest }) => ({ path: [step, ...path], ...rest }));

const ofProperties = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  const { properties, required, additional } = facetsOf(plan);
  const sent = [...properties].filter(([, schemas]) => !isMarked(planOf(schemas), 'readOnly'));
  const names = new Set(sent.map(([name]) => name));
  return [
    ...[...required]
      .filter((name) => names.has(name))
      .map((name) => ({ path: [name], broken: 'required' as const, value: fc.constant(absent) })),
    ...(additional === undefined
      ? [
          {
            path: [undeclaredName],
            broken: 'additionalProperties' as const,
            value: fc.constant('undeclared'),
          },
        ]
      : []),
    ...sent.flatMap(([name, schemas]) =>
      inside(name, wrongValues(planOf(schemas), { ...options, depth: options.depth - 1 })),
    ),
  ];
};

/** Every rule broken, at every place down to the depth of the options. */
export const wrongValues = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  if (options.depth < 0) return [];
  const [choice = plan] = plan.unions.length > 0 ? choicesOf(plan) : [];
  if (choice !== plan) return wrongValues(choice, options);
  const here = brokenRules(plan, options).flatMap(({ broken, value }) =>
    value === undefined ? [] : [{ path: [], broken, value }],
  );
  const { type, items } = facetsOf(plan);
  if (type === 'object') return [...here, ...ofProperties(plan, options)];
  if (type !== 'array' || items.length === 0) return here;
  const inner = { ...options, depth: options.depth - 1 };
  return [...here, ...inside('*', wrongValues(planOf(items), inner))];
};
