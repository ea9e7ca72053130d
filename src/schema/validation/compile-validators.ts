/** Validators of typed values (int64 is bigint, binary is Uint8Array, the rest is JSON) by schemas of the model. */

import {
  answerOnce,
  currentFuel,
  drawFrom,
  type Fuel,
  FuelExhausted,
  makeFuel,
  ownFuel,
  spendOn,
} from '../../base/fuel';
import { memoize, memoizePairs } from '../../base/memoize';
import type { Schema } from '../../model/schema';
import type { Direction, Mode, ShapeOf } from '../shape';
import { appliedTests, withoutCircles, withUnevaluated } from './applied-schemas';
import { type CustomFormats, withFormats } from './checks/formats';
import { checksOf } from './checks-of';
import { evaluatedBy } from './evaluation';
import { checkTest, type KeywordContext, partTests, type Test, testAll } from './keyword-tests';
import { ErrorReport, type SchemaError, schemaErrors } from './schema-errors';
import {
  infoOf,
  noSurroundings,
  type Surroundings,
  sameValueSchemas,
  schemaInfo,
  surroundingsOf,
} from './schema-info';

/** Makes the test of all keywords of a schema. */
const compileKeywords = (context: KeywordContext, checks: readonly Test[]): Test => {
  const { schema } = context;
  const fitsKeywords = testAll([...checks, ...appliedTests(context), ...partTests(context)]);
  const evaluates = evaluatedBy(schema);
  const test: Test = (value, report, same) => {
    spendOn(value);
    same?.trail?.push(...evaluates);
    return fitsKeywords(value, report, same);
  };
  return withoutCircles(withUnevaluated(test, context), schema);
};

/** Hides the value in the errors of a schema that makes it a secret. */
const withoutValues =
  (test: Test): Test =>
  (value, report, same) => {
    const first = report?.errors.length ?? 0;
    const fits = test(value, report, same);
    if (!fits) report?.hideFrom(first);
    return fits;
  };

/**
 * Remembers whether values fit a schema that is applied with others: where unions hold unions, the same is asked for every way that
 * leads to a value, exponentially often.
 */
const remembered = (test: Test): Test => {
  const fits = (value: unknown) => test(value);
  return (value, report, same) => {
    if (same !== undefined || report?.isThorough) return test(value, report, same);
    return answerOnce(fits, value, fits) || (report !== undefined && test(value, report));
  };
};

/** Makes the tests of the schemas of one document. Each is compiled when a value first comes to it, and never twice. */
const schemaTests = (given: CustomFormats): ((schema: Schema, mode: Mode) => Test) => {
  const formats = withFormats(given);

  const compile = (schema: Schema, mode: Mode, surroundings: Surroundings): Test => {
    const info = schemaInfo(schema, mode, infoOf(surroundings));
    const context: KeywordContext = {
      schema,
      mode,
      info,
      part: (part) => testOf(part, mode),
      member: (member) => testOf(member, mode, surroundingsOf(member, info)),
      condition: (condition) =>
        testOf(condition, 'storage', { ...noSurroundings, representation: info.representation }),
    };
    const checks = checksOf(schema, info.representation, formats, mode).map(checkTest);
    const test = compileKeywords(context, checks);
    const isAskedAgain =
      sameValueSchemas(schema).length + (schema.patternProperties?.size ?? 0) > 0 ||
      schema.contains !== undefined;
    const told = info.secret ? withoutValues(test) : test;
    return isAskedAgain ? remembered(told) : told;
  };

  const testsOf = memoize((_schema: Schema) => new Map<string, Test>());
  const testOf = (schema: Schema, mode: Mode, surroundings = noSurroundings): Test => {
    const tests = testsOf(schema);
    const { unrequired, unchecked, representation } = surroundings;
    const key = JSON.stringify([mode, unrequired, unchecked, representation]);
    const known = tests.get(key);
    if (known !== undefined) return known;
    let compiled: Test | undefined;
    const test: Test = (value, report, same) => {
      compiled ??= drawFrom(undefined, () => compile(schema, mode, surroundings));
      return compiled(value, report, same);
    };
    tests.set(key, test);
    return test;
  };
  return testOf;
};

/**
 * Tells whether the value has at most so many members and items, itself included, at all levels together.
 * Takes no more steps than that, and no stack.
 */
const isSmallerThan = (limit: number, value: unknown): boolean => {
  const pending: unknown[] = [value];
  for (let seen = 0; seen < limit; seen += 1) {
    const next = pending.pop();
    if (typeof next === 'object' && next !== null && !(next instanceof Uint8Array)) {
      const parts = Object.values(next);
      if (parts.length > limit) return false;
      pending.push(...parts);
    }
    if (pending.length === 0) return true;
  }
  return false;
};

/** The errors of a value; none where it is valid. Throws where a schema that the value comes to is invalid, at every call alike. */
export type Validate = (value: unknown) => readonly SchemaError[];

/** The validators of one document. */
export interface Validators {
  /** Returns the validator of a schema; the same one for the same schema object and direction. Compiled at its first use. */
  validatorOf(schema: Schema, direction: Direction): Validate;
  /**
   * Makes a predicate that does not say why a value fails. `any`, the default, is any direction: read-only and write-only
   * properties are checked, but not required.
   */
  accepts(schema: Schema, mode?: Mode): (value: unknown) => boolean;
}

/** Shapes and validators of one document's schemas, each worked out once, at its first use. */
export interface Schemas {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
}

/** The steps for collecting all errors of a small value, which are kept in memory. */
const STEPS_FOR_ALL = 20_000;
/** Members and items of a value whose errors are all looked for. */
const SMALL = 2_000;
const MOST_ERRORS = 20;

const noErrors: readonly SchemaError[] = Object.freeze([]);
const TOO_DEEP = 'must be nested less deeply';

/** Describes the exhaustion of the fuel or the stack; other errors are thrown on. */
const exhaustionOf = (error: unknown): readonly SchemaError[] => {
  if (error instanceof FuelExhausted) return [{ path: '', message: error.message, rule: 'steps' }];
  if (error instanceof RangeError) return [{ path: '', message: TOO_DEEP, rule: 'depth' }];
  throw error;
};

/** Lists all errors of a small value; undefined where that takes too many steps. */
const allErrors = (fuel: Fuel, test: Test, value: unknown): ErrorReport | undefined => {
  const part = makeFuel(Math.min(STEPS_FOR_ALL, fuel.left));
  const report = new ErrorReport(true);
  try {
    return drawFrom(part, () => test(value, report)) ? undefined : report;
  } catch (error) {
    exhaustionOf(error);
    return undefined;
  } finally {
    fuel.left -= part.capacity - part.left;
  }
};

/** Finds the first error of a value that does not fit, by as much fuel as it took to find out. */
const firstError = (fuel: Fuel, test: Test, value: unknown): ErrorReport => {
  const report = new ErrorReport(false);
  drawFrom(makeFuel(fuel.capacity), () => test(value, report));
  return report;
};

/** Makes the validators of one document. Nothing is compiled before a value asks for it, nor ever twice. */
export const compileValidators = (formats: CustomFormats = {}): Validators => {
  const testOf = schemaTests(formats);
  return {
    validatorOf: memoizePairs((schema: Schema, mode: Mode): Validate => {
      const test = testOf(schema, mode);
      return (value) => {
        const fuel = currentFuel() ?? ownFuel();
        try {
          if (drawFrom(fuel, () => test(value))) return noErrors;
          const all = isSmallerThan(SMALL, value) ? allErrors(fuel, test, value) : undefined;
          return schemaErrors(all ?? firstError(fuel, test, value), all ? MOST_ERRORS : 1);
        } catch (error) {
          return exhaustionOf(error);
        }
      };
    }),
    accepts: (schema, mode = 'any') => {
      const test = testOf(schema, mode);
      return (value) => {
        const outer = currentFuel();
        try {
          return drawFrom(outer ?? ownFuel(), () => test(value));
        } catch (error) {
          // A message without fuel has none for the next alternative.
          if (outer !== undefined && error instanceof FuelExhausted) throw error;
          exhaustionOf(error);
          return false;
        }
      };
    },
  };
};
