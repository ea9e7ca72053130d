/** What breaks one rule of a value: each keyword of its schema turned round by itself. */

import fc from 'fast-check';
import type { SamplePlan } from '../../../engine';
import { type Broken, brokenNumber, constants, type Turn } from './broken-numbers';
import { type Facets, facetsOf } from './facets';
import type { ValueOptions } from './lists';
import { compilePattern, keepFitting, LONGEST, textArbitrary, textsAgainst } from './texts';
import { facetsArbitrary } from './values';

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
  (facets: Facets, plan: SamplePlan, options: ValueOptions): Turn =>
  (changed) =>
    facetsArbitrary({ ...facets, enumerated: undefined, ...changed }, plan, options);

/** What breaks the rules of the value itself. */
export const brokenRules = (plan: SamplePlan, options: ValueOptions): Broken[] => {
  const facets = facetsOf(plan);
  const turn = turnerOf(facets, plan, { ...options, replacement: undefined });
  const bounds =
    facets.enumerated === undefined ? byType(facets, turn, options) : [brokenEnum(facets)];
  return [
    ...bounds,
    constants('type', ...(ofOtherTypes[facets.type] ?? [])),
    constants('nullable', ...(facets.nullable || facets.type === 'any' ? [] : [null])),
  ];
};
