/** Tests of values by the keywords of a schema, as closures, in the order in which their errors are told. */

import { pointerTo } from '../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { isNever, type Schema, schemasInPlace, schemasOfParts } from '../../model/schema';
import type { Mode } from '../shape';
import { patternTest } from './checks/pattern-check';
import { type Check, excluded } from './checks/type-check';
import { declaresName, type Evaluates } from './evaluation';
import { ErrorReport } from './schema-errors';
import { allAlternatives, namesIn, type SchemaInfo } from './schema-info';

/** The knowledge that schemas which are applied to the very same value have of each other. */
export interface SameValue {
  /** The parts of the value that have been evaluated (evaluation.ts); undefined where no schema asks for them. */
  readonly trail: Evaluates[] | undefined;
  /** Schemas in circles that are being applied: where they are come to again, they hold. */
  readonly applied: ReadonlySet<Schema>;
}

/**
 * A test of a value.
 * @param report takes the errors, all of them or the first one; undefined where none is wanted
 * @param same undefined where no schema around this one has anything to tell
 */
export type Test<Value = unknown> = (
  value: Value,
  report?: ErrorReport,
  same?: SameValue,
) => boolean;

/** A schema whose keywords are compiled, and the tests of the schemas that it applies. */
export interface KeywordContext {
  readonly schema: Schema;
  readonly mode: Mode;
  readonly info: SchemaInfo;
  /** Returns the test of a schema for a part of the value. */
  part(schema: Schema): Test;
  /** Returns the test of a schema that holds for the same value. */
  member(schema: Schema): Test;
  /** Returns the test of a schema that may fail without harm; no rule is relaxed in it, since that would tighten the whole. */
  condition(schema: Schema): Test;
}

/** Makes the test of several tests; where all errors are wanted it goes on after the first that fails. */
export const testAll =
  <Value>(tests: readonly Test<Value>[]): Test<Value> =>
  (value, report, same) => {
    let fits = true;
    for (const test of tests) {
      if (test(value, report, same)) continue;
      fits = false;
      if (report?.isThorough !== true) break;
    }
    return fits;
  };

/** Makes the test of a rule on the value itself. */
export const checkTest =
  (check: Check): Test =>
  (value, report) => {
    if (check.accepts(value)) return true;
    if (report === undefined) return false;
    const given = check.given?.(value) ?? '';
    report.errors.push({
      path: '',
      message: check.messageFor?.(value) ?? check.message,
      rule: check.rule ?? 'type',
      allowed: check.allowed,
      got: check.got?.(value) ?? (given || undefined),
      given,
      names: check.names,
      discriminates: check.discriminates,
    });
    return false;
  };

/** Tests a part of a value; its errors get its place. */
const testPart = (
  test: Test,
  part: unknown,
  key: string | number,
  report: ErrorReport | undefined,
): boolean => {
  if (report === undefined) return test(part);
  const first = report.errors.length;
  if (test(part, report)) return true;
  report.placeFrom(first, key);
  return false;
};

/** Tests parts of a value, with their names or indexes; where all errors are wanted it goes on after the first that fails. */
export const testParts = (
  test: Test,
  parts: Iterable<readonly [string | number, unknown]>,
  report: ErrorReport | undefined,
): boolean => {
  let fits = true;
  for (const [key, part] of parts) {
    if (testPart(test, part, key, report)) continue;
    fits = false;
    if (report?.isThorough !== true) break;
  }
  return fits;
};

/** Makes the tests of the number of parts of a value: of items, or of properties. */
const countTests = <Value>(
  kind: 'Items' | 'Properties',
  schema: Schema,
  count: (value: Value) => number,
): readonly Test<Value>[] => {
  const [one, many] = kind === 'Items' ? ['item', 'items'] : ['property', 'properties'];
  const within = (limit: 'max' | 'min'): readonly Test<Value>[] => {
    const rule = `${limit}${kind}` as const;
    const { [rule]: allowed } = schema;
    if (allowed === undefined) return [];
    const words = limit === 'max' ? 'most' : 'least';
    const message = `must have at ${words} ${allowed} ${allowed === 1 ? one : many}`;
    return [
      (value, report) => {
        const parts = count(value);
        if (limit === 'max' ? parts <= allowed : parts >= allowed) return true;
        report?.errors.push({ path: '', message, rule, allowed });
        return false;
      },
    ];
  };
  return [...within('max'), ...within('min')];
};

/** Makes the test of the properties or items that other keywords do not speak of. */
export const restTest = (
  rule: 'additionalProperties' | 'unevaluatedProperties' | 'items' | 'unevaluatedItems',
  rest: Schema,
  { schema, info, part: testOf }: KeywordContext,
): Test => {
  if (!isNever(rest)) return testOf(rest);
  // What other schemas declare is unknown to additionalProperties.
  const declared = namesIn(rule === 'additionalProperties' ? [schema] : allAlternatives(schema));
  const names = declared.filter((name) => !info.unchecked.has(name));
  const part = /items$/i.test(rule) ? 'item' : 'property';
  return checkTest({ ...excluded(part), rule, names });
};

type List = readonly unknown[];

/** Makes the test of the items that have no place of their own. */
const itemsTest =
  (rest: Test, placed: number): Test<List> =>
  (list, report) => {
    let fits = true;
    for (let index = placed; index < list.length; index += 1) {
      if (testPart(rest, list[index], index, report)) continue;
      fits = false;
      if (report?.isThorough !== true) break;
    }
    return fits;
  };

const containsTest = (
  fitsItem: Test,
  { minContains: least = 1, maxContains: most }: Schema,
): Test<List> => {
  const bounds = [
    least > 0 || most === undefined ? `at least ${least}` : '',
    most === undefined ? '' : `at most ${most}`,
  ].filter((text) => text !== '');
  const message = `must contain ${bounds.join(' and ')} of the items that the document describes`;
  return (list, report, same) => {
    const found = new Set<unknown>();
    for (const [index, item] of list.entries()) if (fitsItem(item)) found.add(index);
    same?.trail?.push((key) => found.has(key));
    if (found.size >= least && found.size <= (most ?? found.size)) return true;
    report?.errors.push({ path: '', message, rule: 'contains' });
    return false;
  };
};

/** Makes the tests of lists. */
const listTests = (context: KeywordContext): readonly Test<List>[] => {
  const { schema, part } = context;
  const { prefixItems, items, contains } = schema;
  const placed = prefixItems.map((item, index): Test<List> => {
    const test = part(item);
    return (list, report) => index >= list.length || testPart(test, list[index], index, report);
  });
  return [
    ...countTests('Items', schema, (list: List) => list.length),
    ...(items ? [itemsTest(restTest('items', items, context), placed.length)] : []),
    ...placed,
    ...(contains ? [containsTest(part(contains), schema)] : []),
  ];
};

const isPresent = (object: PlainObject, name: string): boolean =>
  Object.hasOwn(object, name) && object[name] !== undefined;

/** Makes the tests that properties are there: always, or where another one is. */
const requiredTests = (
  names: readonly string[],
  { unrequired }: SchemaInfo,
  beside?: string,
): readonly Test<PlainObject>[] => {
  const since = beside === undefined ? '' : `, since it has "${beside}"`;
  const needed = names.filter((name) => !unrequired(name));
  const rule = beside === undefined ? 'required' : 'dependentRequired';
  return needed.map((name) => {
    const path = pointerTo('', name);
    const message = `must have the property "${name}"${since}`;
    return (object, report) => {
      if (isPresent(object, name)) return true;
      if (beside !== undefined && !isPresent(object, beside)) return true;
      report?.errors.push({ path, message, rule });
      return false;
    };
  });
};

const isScalar = (schema: Schema): boolean =>
  schemasOfParts(schema).length === 0 && schemasInPlace(schema).length === 0;

/**
 * Makes the tests of declared properties, scalars first: a tag then rules an alternative out before anything nested is looked into,
 * without which a recursive union takes exponential time.
 */
const propertyTests = ({ schema, info, part }: KeywordContext): readonly Test<PlainObject>[] => {
  const checked = [...(schema.properties ?? [])].filter(([name]) => !info.unchecked.has(name));
  const sorted = checked.toSorted(([, a], [, b]) => Number(isScalar(b)) - Number(isScalar(a)));
  return sorted.map(([name, property]) => {
    const test = part(property);
    return (object, report) =>
      !isPresent(object, name) || testPart(test, object[name], name, report);
  });
};

/** Makes the test of the properties whose names pass. */
const namedTest =
  (isMeant: (name: string) => boolean, test: Test): Test<PlainObject> =>
  (object, report) => {
    const meant = Object.entries(object).filter(([name]) => isMeant(name));
    return testParts(test, meant, report);
  };

/** Makes the test of a property by its name. */
const nameTest = (fitsName: Test): Test<PlainObject> => {
  const test: Test = (name, report) => {
    const reasons = report && new ErrorReport(report.isThorough);
    if (fitsName(name, reasons)) return true;
    const reason = reasons?.errors[0]?.message ?? 'does not fit';
    report?.errors.push({
      path: '',
      message: `must not be present, since its name ${reason}`,
      rule: 'propertyNames',
    });
    return false;
  };
  return (object, report) =>
    testParts(
      test,
      Object.keys(object).map((name) => [name, name] as const),
      report,
    );
};

/** Makes the tests of objects. */
const objectTests = (context: KeywordContext): readonly Test<PlainObject>[] => {
  const { schema, info, part, member } = context;
  const { additionalProperties, propertyNames } = schema;
  const declares = declaresName(schema);
  const rest =
    additionalProperties && restTest('additionalProperties', additionalProperties, context);
  const count = (object: PlainObject) => Object.keys(object).length;
  return [
    ...countTests('Properties', schema, count),
    ...requiredTests(schema.required, info),
    ...(rest ? [namedTest((name) => !declares(name), rest)] : []),
    ...propertyTests(context),
    ...[...(schema.patternProperties ?? [])].map(([source, property]) =>
      namedTest(patternTest(source), part(property)),
    ),
    ...(propertyNames ? [nameTest(part(propertyNames))] : []),
    ...[...(schema.dependentRequired ?? [])].flatMap(([name, names]) =>
      requiredTests(names, info, name),
    ),
    ...[...(schema.dependentSchemas ?? [])].map(([name, dependent]): Test<PlainObject> => {
      const test = member(dependent);
      return (object, report, same) => !isPresent(object, name) || test(object, report, same);
    }),
  ];
};

/** Makes the tests of the parts that a value has: of a list's items, and of an object's properties. */
export const partTests = (context: KeywordContext): readonly Test[] => {
  const [lists, objects] = [listTests(context), objectTests(context)];
  const [fitsList, fitsObject] = [testAll(lists), testAll(objects)];
  const ofList: Test = (value, report, same) =>
    !Array.isArray(value) || fitsList(value, report, same);
  const ofObject: Test = (value, report, same) =>
    !isPlainObject(value) || fitsObject(value, report, same);
  return [...(lists.length > 0 ? [ofList] : []), ...(objects.length > 0 ? [ofObject] : [])];
};
