/** Rules on schemas: keywords that can be enforced, names that are distinct in XML, and work that is bounded. */

import { pointerTo } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { Schema } from '../../model/schema';
import { addMembers } from '../../schema/schema-parts';
import { valueKey } from '../../schema/validation/checks/equality-checks';
import { isBounded } from '../../schema/validation/checks/pattern-check';
import { defaultError, keywordError } from '../../schema/validation/checks-of';
import { MOST_WRITTEN, writtenSize, writtenSizeError } from '../../schema/validation/written-size';
import type { UnplacedDiagnostic } from '../diagnostics/diagnostic';
import { errorOf, type Rule, type RuleContext, repeated, ruleOf, warningOf } from './rule';

const enforceableKeywords = ruleOf({
  Schema: ({ value, pointer }, { readSchema }) => {
    const error = '$ref' in value ? undefined : keywordError(readSchema(value, pointer));
    if (error === undefined) return [];
    const { message, keyword, advice = 'Correct the schema.' } = error;
    // The dialect of many schemas is reported where it is named.
    if (keyword === '$schema' && !('$schema' in value)) return [];
    const at = keyword === undefined ? pointer : pointerTo(pointer, keyword);
    return [errorOf('schema-keyword')(at, `${message} ${advice}`)];
  },
});

const fittingDefaults = ruleOf({
  Schema: ({ value, pointer }, { readSchema }) => {
    const message = '$ref' in value ? undefined : defaultError(readSchema(value, pointer));
    if (message === undefined) return [];
    return [warningOf('default')(`${pointer}/default`, `${message} Change it, or leave it out.`)];
  },
});

/** Tells a part of a composed schema, which may require the properties of another part. */
const isPart = (pointer: string): boolean => /\/(?:(?:allOf|oneOf|anyOf)\/\d+|not)$/.test(pointer);

const isComposed = (schema: object): boolean =>
  ['allOf', 'oneOf', 'anyOf'].some((keyword) => Object.hasOwn(schema, keyword));

const declaredProperties = ruleOf({
  Schema: ({ value, pointer }) => {
    const { required, properties } = value;
    if (isPart(pointer) || isComposed(value)) return [];
    if (!Array.isArray(required) || !isPlainObject(properties)) return [];
    return required.flatMap((property: unknown, index) => {
      if (typeof property !== 'string' || Object.hasOwn(properties, property)) return [];
      const message = `The required property ${property} is not declared. Add it to \`properties\`, or correct its name.`;
      return [warningOf('required-property')(`${pointer}/required/${index}`, message)];
    });
  },
});

/** Lists the repeated values; numbers are equal by their value, as 1 and 1.0 are. */
const repeatedIn = (list: unknown) => repeated<unknown>(Array.isArray(list) ? list : [], valueKey);

const distinctValues = ruleOf({
  Schema: ({ value: { required, enum: values }, pointer }) => [
    ...repeatedIn(required).map(({ index }) => {
      const message = 'Duplicate name in `required`. Remove one of the two.';
      return errorOf('repeated-value')(`${pointer}/required/${index}`, message);
    }),
    ...repeatedIn(values).map(({ index }) => {
      const message = 'Duplicate value in `enum`. Remove one of the two.';
      return warningOf('repeated-value')(`${pointer}/enum/${index}`, message);
    }),
  ],
});

const discriminatorWarning = warningOf('discriminator');

const listAt = (schema: Readonly<PlainObject>, keyword: string): readonly unknown[] => {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
};

/** Tells whether a schema, or a member of its allOf, requires the property. */
const requires = (schema: Schema, property: string): boolean => {
  try {
    return [...addMembers(new Set(), schema)].some(({ required }) => required.includes(property));
  } catch {
    // Another rule reports a schema that leads nowhere.
    return true;
  }
};

const variantsOf = (schema: Readonly<PlainObject>): readonly (readonly [string, unknown])[] => {
  const variants = ['oneOf', 'anyOf'].flatMap((keyword) =>
    listAt(schema, keyword).map((variant, index) => [`/${keyword}/${index}`, variant] as const),
  );
  return variants.length > 0 ? variants : [['', schema]];
};

const mappingDiagnostics = (
  mapping: unknown,
  pointer: string,
  { definition, references }: RuleContext,
): UnplacedDiagnostic[] =>
  Object.entries(isPlainObject(mapping) ? mapping : {}).flatMap(([name, target]) => {
    const isComponent = Object.hasOwn(definition.components?.schemas ?? {}, String(target));
    if (isComponent || isPlainObject(references.find({ $ref: String(target) }))) return [];
    const message = `The mapping of ${name} does not lead to a schema: ${String(target)}. Write the name of a component, or a reference.`;
    return [discriminatorWarning(pointerTo(pointer, name), message)];
  });

const usableDiscriminators = ruleOf({
  Schema: ({ value, pointer }, context) => {
    if (!isPlainObject(value['discriminator'])) return [];
    const { propertyName, mapping } = value['discriminator'];
    if (typeof propertyName !== 'string') return [];
    return [
      ...variantsOf(value)
        .filter(([, variant]) => !requires(context.readSchema(variant, pointer), propertyName))
        .map(([step]) => {
          const message = `The property ${propertyName} distinguishes variants, but is not required here. Add it to \`required\`.`;
          return discriminatorWarning(pointer + step, message);
        }),
      ...mappingDiagnostics(mapping, `${pointer}/discriminator/mapping`, context),
    ];
  },
});

/** Documents repeat their patterns. */
const isBoundedPattern = memoize(isBounded, { max: 1_000 });

const boundedPatterns = ruleOf({
  Schema: ({ value: { pattern }, pointer }) => {
    if (typeof pattern !== 'string' || isBoundedPattern(pattern)) return [];
    const message =
      'The time that this pattern takes is not in proportion to the text, and texts that take too long are refused. Avoid back references, look-around (except look-ahead at the start) and more than 1000 repetitions.';
    return [warningOf('slow-pattern')(`${pointer}/pattern`, message)];
  },
});

/** Returns what distinguishes an alternative: its type, and the only values of required properties. */
const marksOf = (schema: Schema): ReadonlyMap<string, unknown> => {
  const parts = [...addMembers(new Set(), schema)];
  const required = new Set(parts.flatMap((part) => part.required));
  const tags = parts
    .flatMap((part) => [...(part.properties ?? [])])
    .flatMap(([name, { enum: values }]) =>
      required.has(name) && values?.length === 1 ? [[`/${name}`, values[0]] as const] : [],
    );
  const types = parts.find((part) => part.types !== undefined)?.types;
  return new Map([
    ...(types === undefined
      ? []
      : [['type', types.filter((type) => type !== 'null').join()] as const]),
    ...tags,
  ]);
};

const areApart = (
  one: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): boolean => [...one].some(([mark, value]) => other.has(mark) && other.get(mark) !== value);

/** Schemas that are looked through for the way back to a union: more would take long in a large document. */
const MOST_SCHEMAS = 50;

const innerSchemas = (schema: Schema): readonly Schema[] => [
  ...[schema.members, schema.anyOf, schema.oneOf].flat(),
  ...(schema.properties?.values() ?? []),
  ...[schema.items, schema.additionalProperties].filter((inner) => inner !== undefined),
];

/** Tells whether values of the schema may hold values of the other. */
const leadsTo = (start: Schema, target: Schema): boolean => {
  const found = new Set([start]);
  for (const schema of found) {
    const inner = innerSchemas(schema);
    if (inner.includes(target)) return true;
    if (found.size > MOST_SCHEMAS) return false;
    for (const one of inner) found.add(one);
  }
  return false;
};

/** Tells whether two alternatives hold the union again, and nothing distinguishes them. */
const isAmbiguous = (union: Schema, alternatives: readonly Schema[]): boolean => {
  try {
    const marks = alternatives.filter((one) => leadsTo(one, union)).map(marksOf);
    return marks.some((one, index) => marks.slice(0, index).some((other) => !areApart(one, other)));
  } catch {
    // Another rule reports references that lead nowhere.
    return false;
  }
};

const distinctAlternatives = ruleOf({
  Schema: ({ value, pointer }, { readSchema }) =>
    (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
      if (listAt(value, keyword).length < 2) return [];
      const schema = readSchema(value, pointer);
      if (!isAmbiguous(schema, schema[keyword])) return [];
      const message =
        'Several alternatives contain the union itself and cannot be distinguished: each level of a value multiplies the work. Require in each a property with a single value (`enum`) of its own.';
      return [warningOf('ambiguous-union')(`${pointer}/${keyword}`, message)];
    }),
});

/** From this size on a schema is near the bound: one more level may double it. */
const NEAR = MOST_WRITTEN / 2;

const smallSchemas = ruleOf({
  Schema: ({ value, pointer }, { readSchema }) => {
    if ('$ref' in value) return [];
    const schema = readSchema(value, pointer);
    const advice = 'Nest fewer unions, or refer to schemas from properties.';
    const error = writtenSizeError(schema);
    if (error !== undefined) return [errorOf('large-schema')(pointer, `${error} ${advice}`)];
    const size = writtenSize(schema);
    if (size <= NEAR) return [];
    const message = `The schema is composed of ${size} others; with more than ${MOST_WRITTEN} it is not served. ${advice}`;
    return [warningOf('large-schema')(pointer, message)];
  },
});

/** The rules on schemas, in the order in which their diagnostics are reported. */
export const schemaRules: readonly Rule[] = [
  enforceableKeywords,
  declaredProperties,
  distinctValues,
  usableDiscriminators,
  boundedPatterns,
  distinctAlternatives,
  smallSchemas,
  fittingDefaults,
];
