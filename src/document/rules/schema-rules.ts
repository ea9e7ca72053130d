/** Rules on schemas: keywords that can be enforced, names that are distinct in XML, and work that is bounded. */

import { pointerTo, valueAt } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { attempt } from '../../base/recover';
import {
  type Discriminator,
  type Schema,
  schemasInPlace,
  schemasOfParts,
  UnresolvableReference,
} from '../../model/schema';
import { strictView } from '../../schema/schema-view';
import { valueKey } from '../../schema/validation/checks/equality-checks';
import { foreignPattern } from '../../schema/validation/checks/foreign-pattern';
import { isBounded } from '../../schema/validation/checks/pattern-check';
import { defaultError, keywordError } from '../../schema/validation/checks-of';
import { errorOf, type UnplacedDiagnostic, warningOf } from '../diagnostics/diagnostic';
import { holdsOctets } from '../read/read-schema';
import { checkEach, type Rule, type RuleContext, repeated, ruleOf } from './rule';

/** Makes a rule that checks each schema by itself, but not those that references lead to. */
const ruleOfSchemas =
  (
    check: (schema: Schema, pointer: string, context: RuleContext) => readonly UnplacedDiagnostic[],
  ): Rule =>
  (context) =>
    checkEach(context.declared.schemas, ({ schema, pointer }) => check(schema, pointer, context));

const enforceableKeywords = ruleOfSchemas((schema, pointer, { definition }) => {
  const error = keywordError(schema);
  if (error === undefined) return [];
  const { message, keyword, advice = 'Correct the schema.' } = error;
  const at = keyword === undefined ? pointer : pointerTo(pointer, keyword);
  // The dialect of all schemas is reported where it is named.
  if (keyword === '$schema' && valueAt(definition, at) === undefined) return [];
  return [errorOf('schema-keyword')(at, `${message} ${advice}`)];
});

const fittingDefaults = ruleOfSchemas((schema, pointer) => {
  const message = defaultError(schema);
  if (message === undefined) return [];
  return [warningOf('default')(`${pointer}/default`, `${message} Change it, or leave it out.`)];
});

/** A part of a composed schema may require the properties of another part. */
const composedPart = /\/(?:(?:allOf|oneOf|anyOf)\/\d+|not|if|then|else|dependentSchemas\/[^/]+)$/;

const declaredProperties = ruleOfSchemas((schema, pointer) => {
  const { required, properties, members, oneOf, anyOf } = schema;
  const isComposed = members.length > 0 || oneOf.length > 0 || anyOf.length > 0;
  if (composedPart.test(pointer) || isComposed || properties === undefined) return [];
  return required.flatMap((property, index) => {
    if (properties.has(property)) return [];
    const message = `The required property ${property} is not declared. Add it to \`properties\`, or correct its name.`;
    return [warningOf('required-property')(`${pointer}/required/${index}`, message)];
  });
});

/** Reports members that lists of distinct ones repeat; numbers are equal by their value, as 1 and 1.0 are. */
const distinctValues = ruleOfSchemas(
  ({ types = [], required, dependentRequired = [], enum: values = [] }, pointer) => {
    const sets = [
      { keyword: 'type', list: types, what: 'type in `type`' },
      { keyword: 'required', list: required, what: 'name in `required`' },
      ...[...dependentRequired].map(([name, list]) => ({
        keyword: pointerTo('dependentRequired', name),
        list,
        what: 'name in `dependentRequired`',
      })),
      { keyword: 'enum', list: values, what: 'value in `enum`' },
    ];
    return sets.flatMap(({ keyword, list, what }) =>
      repeated(list, valueKey).map(({ index }) => {
        // JSON Schema only recommends that the values of `enum` are unique.
        const make = keyword === 'enum' ? warningOf : errorOf;
        const message = `Duplicate ${what}. Remove one of the two.`;
        return make('repeated-value')(`${pointer}/${keyword}/${index}`, message);
      }),
    );
  },
);

const discriminatorWarning = warningOf('discriminator');

const mappingDiagnostics = (
  { mapping, defaultMapping }: Discriminator,
  pointer: string,
  { definition }: RuleContext,
): UnplacedDiagnostic[] => {
  const targets = [
    ...[...mapping].map(([name, schema]) => {
      return { schema, at: pointerTo(`${pointer}/mapping`, name), subject: `mapping of ${name}` };
    }),
    { schema: defaultMapping, at: `${pointer}/defaultMapping`, subject: 'default mapping' },
  ];
  return targets.flatMap(({ schema, at, subject }) => {
    if (!(schema?.error instanceof UnresolvableReference)) return [];
    const target = String(valueAt(definition, at));
    const message = `The ${subject} does not lead to a schema: ${target}. Write the name of a component, or a reference.`;
    return [discriminatorWarning(at, message)];
  });
};

const usableDiscriminators = ruleOfSchemas((schema, pointer, context) => {
  const { discriminator } = schema;
  if (discriminator === undefined) return [];
  const { propertyName, defaultMapping } = discriminator;
  const { fields } = context.structure.types.Discriminator;
  const isOpen = Object.hasOwn(fields, 'defaultMapping') && defaultMapping === undefined;
  const advice = isOpen ? ', or say by `defaultMapping` what is meant without it' : '';
  const variants = (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
    schema[keyword].map((variant, index) => ({ variant, step: `/${keyword}/${index}` })),
  );
  // Where a default is given only those that declare the property, but for the default.
  const mustRequire = (variant: Schema): boolean =>
    defaultMapping === undefined ||
    (variant !== schema &&
      variant !== defaultMapping &&
      strictView(variant).declared(propertyName).length > 0);
  return [
    ...(variants.length > 0 ? variants : [{ variant: schema, step: '' }])
      // Another rule reports a schema that leads nowhere.
      .filter(
        ({ variant }) => attempt(() => strictView(variant))?.required.has(propertyName) === false,
      )
      .filter(({ variant }) => mustRequire(variant))
      .map(({ step }) => {
        const message = `The property ${propertyName} distinguishes variants, but is not required here. Add it to \`required\`${advice}.`;
        return discriminatorWarning(pointer + step, message);
      }),
    ...mappingDiagnostics(discriminator, `${pointer}/discriminator`, context),
  ];
});

const typedBytes = ruleOfSchemas((schema, pointer, { declared, definition }) => {
  const { types, contentMediaType, contentEncoding } = schema;
  const isWritten = valueAt(definition, `${pointer}/format`) !== undefined;
  if (isWritten || !holdsOctets({ types, contentMediaType, contentEncoding })) return [];
  if (!declared.places().text.has(pointer)) return [];
  const message = `Octets such as ${contentMediaType} cannot travel in JSON and other texts: the value is any text there. Write \`contentEncoding: base64\`, and send it so.`;
  return [warningOf('typed-bytes')(`${pointer}/contentMediaType`, message)];
});

/** The model has left these patterns out. */
const ecmaPatterns = ruleOf({
  Schema: ({ value: { pattern, patternProperties }, pointer }) =>
    [
      { sources: typeof pattern === 'string' ? [pattern] : [], passes: 'text', at: undefined },
      { sources: Object.keys(patternProperties ?? {}), passes: 'name', at: patternProperties },
    ].flatMap(({ sources, passes, at }) =>
      sources.flatMap((source) => {
        const remedy = foreignPattern(source);
        if (remedy === undefined) return [];
        const place = at ? pointerTo(`${pointer}/patternProperties`, source) : `${pointer}/pattern`;
        const message = `The pattern "${source}" is not one of ECMA-262, and is not checked: every ${passes} passes. ${remedy}`;
        return [warningOf('foreign-pattern')(place, message, at !== undefined)];
      }),
    ),
});

/** Documents repeat their patterns. */
const isBoundedPattern = memoize(isBounded, { max: 1_000 });

const boundedPatterns = ruleOfSchemas(({ pattern, patternProperties }, pointer) => {
  const patterns = [...(patternProperties?.keys() ?? [])].map(
    (name) => [name, pointerTo(`${pointer}/patternProperties`, name)] as const,
  );
  if (pattern !== undefined) patterns.unshift([pattern, `${pointer}/pattern`]);
  const message =
    'The time that this pattern takes is not in proportion to the text, and texts that take too long are refused. Avoid back references, look-around (except look-ahead at the start) and more than 1000 repetitions.';
  return patterns
    .filter(([text]) => !isBoundedPattern(text))
    .map(([, at]) => warningOf('slow-pattern')(at, message));
});

/** Returns what distinguishes an alternative: its type, and the only values of required properties. */
const marksOf = (schema: Schema): ReadonlyMap<string, unknown> => {
  const view = strictView(schema);
  const { required } = view;
  const tags = view
    .values('properties')
    .flatMap((properties) => [...properties])
    .flatMap(([name, { enum: values }]) =>
      required.has(name) && values?.length === 1 ? [[`/${name}`, values[0]] as const] : [],
    );
  const [types] = view.values('types');
  const own = types?.filter((type) => type !== 'null').join();
  return new Map([...(own === undefined ? [] : [['type', own] as const]), ...tags]);
};

/** Schemas that are looked through for the way back to a union: more would take long in a large document. */
const MOST_SCHEMAS = 50;

/** Tells whether a schema holds the other, at any depth; false where more than `most` are between. */
const leadsTo = (
  start: Schema,
  target: Schema,
  innerOf: (schema: Schema) => readonly Schema[],
  most: number,
): boolean => {
  const found = new Set([start]);
  for (const schema of found) {
    const inner = innerOf(schema);
    if (inner.includes(target)) return true;
    if (found.size > most) return false;
    for (const member of inner) found.add(member);
  }
  return false;
};

/** Says that a schema excludes itself, so that no value is right or wrong; undefined where it does not. */
export const exclusionError = (schema: Schema): string | undefined => {
  const negated = ({ not }: Schema) => (not === undefined ? [] : [not]);
  // What decides about the value itself, and not about parts of it.
  const deciding = (inner: Schema) => [...schemasInPlace(inner), ...negated(inner)];
  const isOwn = negated(schema).some(
    (not) => not === schema || leadsTo(not, schema, deciding, Number.POSITIVE_INFINITY),
  );
  return isOwn ? 'The schema excludes itself, and fits no value and every value.' : undefined;
};

const possibleSchemas = ruleOfSchemas((schema, pointer) => {
  const error = exclusionError(schema);
  if (error === undefined) return [];
  return [errorOf('schema-keyword')(`${pointer}/not`, `${error} Exclude another one.`)];
});

/** Tells whether two alternatives hold the union again, and nothing distinguishes them. */
const isAmbiguous = (union: Schema, alternatives: readonly Schema[]): boolean => {
  const innerOf = (schema: Schema) => [...schemasInPlace(schema), ...schemasOfParts(schema)];
  const circular = () =>
    alternatives.filter((alternative) => leadsTo(alternative, union, innerOf, MOST_SCHEMAS));
  // Another rule reports references that lead nowhere.
  const marks = attempt(() => circular().map(marksOf)) ?? [];
  return marks.some((one, index) =>
    marks
      .slice(0, index)
      .some(
        (other) => ![...one].some(([mark, value]) => other.has(mark) && other.get(mark) !== value),
      ),
  );
};

const distinctAlternatives = ruleOfSchemas((schema, pointer) =>
  (['oneOf', 'anyOf'] as const)
    .filter((keyword) => schema[keyword].length > 1 && isAmbiguous(schema, schema[keyword]))
    .map((keyword) => {
      const message =
        'Several alternatives contain the union itself and cannot be distinguished: each level of a value multiplies the work. Require in each a property with a single value (`enum`) of its own.';
      return warningOf('ambiguous-union')(`${pointer}/${keyword}`, message);
    }),
);

/** The rules on schemas, in the order in which their diagnostics are reported. */
export const schemaRules: readonly Rule[] = [
  enforceableKeywords,
  possibleSchemas,
  declaredProperties,
  distinctValues,
  usableDiscriminators,
  typedBytes,
  ecmaPatterns,
  boundedPatterns,
  distinctAlternatives,
  fittingDefaults,
];
