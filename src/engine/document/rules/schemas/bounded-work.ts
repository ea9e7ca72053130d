/** Schemas that keep a server busy: patterns without a bound, unions that contain themselves and tell nothing apart, large compositions. */

import { memoize } from '../../../../base/memoize';
import { isPlainObject } from '../../../../base/plain-object';
import {
  followReference,
  noParts,
  type SchemaPart,
  withSchemas,
} from '../../../schema/schema-parts';
import { isBounded } from '../../../schema/validation/checks/pattern-check';
import {
  MOST_WRITTEN,
  writtenSize,
  writtenSizeError,
} from '../../../schema/validation/written-size';
import type { References } from '../../references/references';
import { errorOf, ruleOf, warningOf } from '../rule';

/** Documents repeat their patterns. */
const isBoundedPattern = memoize(isBounded, { max: 1_000 });

export const fastPatterns = ruleOf({
  Schema: ({ value: { pattern }, pointer }) => {
    if (typeof pattern !== 'string' || isBoundedPattern(pattern)) return [];
    const message =
      'The time that this pattern takes is not in proportion to the text, and texts that take too long are refused. Do without back references and look-around (look-ahead at the start is fine), and repeat nothing more than 1000 times.';
    return [warningOf('slow-pattern')(`${pointer}/pattern`, message)];
  },
});

/** What tells alternatives apart: the type, and the values that required properties must have. */
const marksOf = (schema: unknown, references: References): ReadonlyMap<string, unknown> => {
  const { parts } = withSchemas(noParts, [schema], references);
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const tags = parts
    .flatMap((part) => Object.entries(part.properties ?? {}))
    .flatMap(([name, property]) => {
      const values = isPlainObject(property) ? property['enum'] : undefined;
      return required.has(name) && Array.isArray(values) && values.length === 1
        ? [[`/${name}`, values[0]] as const]
        : [];
    });
  const type = parts.find((part) => part.type !== undefined)?.type;
  return new Map([...(type === undefined ? [] : [['type', type] as const]), ...tags]);
};

const areApart = (
  one: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): boolean => [...one].some(([mark, value]) => other.has(mark) && other.get(mark) !== value);

/** Schemas that are looked through for the way back to a union: more would take long in a large document. */
const MOST_SCHEMAS = 50;

const innerSchemas = (schema: SchemaPart): readonly unknown[] => [
  ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((members) => members ?? []),
  ...Object.values(schema.properties ?? {}),
  ...[schema.items, schema.additionalProperties].filter(isPlainObject),
];

/** Whether values of the schema may hold values of the other. */
const leadsTo = (start: unknown, target: object, references: References): boolean => {
  const found = new Set([followReference(start, references).schema]);
  for (const schema of found) {
    const inner = innerSchemas(schema).map((one) => followReference(one, references).schema);
    if (inner.some((one) => one === target)) return true;
    if (found.size > MOST_SCHEMAS) return false;
    for (const one of inner) found.add(one);
  }
  return false;
};

/** Whether two alternatives hold the union again, and nothing tells them apart. */
const isAmbiguous = (union: object, alternatives: readonly unknown[], references: References) => {
  try {
    const marks = alternatives
      .filter((alternative) => leadsTo(alternative, union, references))
      .map((alternative) => marksOf(alternative, references));
    return marks.some((one, index) => marks.slice(0, index).some((other) => !areApart(one, other)));
  } catch {
    // Other rules report references that lead nowhere, and schemas that are none.
    return false;
  }
};

export const tellingUnions = ruleOf({
  Schema: ({ value, pointer }, { references }) =>
    (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
      const alternatives = value[keyword];
      if (!Array.isArray(alternatives) || alternatives.length < 2) return [];
      if (!isAmbiguous(value, alternatives, references)) return [];
      const message =
        'Several alternatives contain the union itself, and nothing tells them apart: each level of a value multiplies the work. Require a property in each that has one value (`enum`), another in each.';
      return [warningOf('ambiguous-union')(`${pointer}/${keyword}`, message)];
    }),
});

/** From this size on a schema is near the bound: one more level may double it. */
const NEAR = MOST_WRITTEN / 2;

export const smallSchemas = ruleOf({
  Schema: ({ value, pointer }, { references }) => {
    if ('$ref' in value) return [];
    const advice = 'Nest fewer unions, or refer to schemas from properties.';
    const error = writtenSizeError(value, references);
    if (error !== undefined) return [errorOf('large-schema')(pointer, `${error} ${advice}`)];
    const size = writtenSize(value, references);
    if (size <= NEAR) return [];
    const message = `The schema is composed of ${size} others; with more than ${MOST_WRITTEN} it is not served. ${advice}`;
    return [warningOf('large-schema')(pointer, message)];
  },
});
