/** Validators of typed values (int64 is bigint, binary is Uint8Array, the rest is JSON) by schemas of the model. */

import type { ValidateFunction } from 'ajv';
import {
  currentFuel,
  drawFrom,
  type Fuel,
  FuelExhausted,
  makeFuel,
  ownFuel,
} from '../../base/fuel';
import { lazy, memoize, memoizePairs } from '../../base/memoize';
import type { Schema } from '../../model/schema';
import type { Direction, Mode, ShapeOf } from '../shape';
import { createAjv } from './ajv-instance';
import { type CustomFormats, withFormats } from './checks/formats';
import { type IdOf, type JsonSchema, translateSchema } from './json-schema';
import { type SchemaError, schemaErrors } from './schema-errors';

/** Makes the register of the schemas of one document under their ids. A schema is identified by its object. */
const namedSchemas = (given: CustomFormats) => {
  const formats = withFormats(given);
  const translations = new Map<string, () => JsonSchema>();
  const idsOf = memoize((_schema: Schema) => new Map<string, string>());
  const idOf: IdOf = (schema, mode, surroundings) => {
    const ids = idsOf(schema);
    const key = JSON.stringify([mode, surroundings]);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = `schema:${translations.size}`;
    ids.set(key, id);
    const translation = () => translateSchema(schema, mode, surroundings, { idOf, formats });
    translations.set(
      id,
      lazy(() => drawFrom(undefined, translation)),
    );
    return id;
  };
  return {
    idOf,
    /** Throws where the schema is invalid; those that it refers to are not looked into. */
    jsonSchemaOf(id: string): JsonSchema {
      const translation = translations.get(id);
      if (translation === undefined) throw new Error(`The schema ${id} is not known.`);
      return translation();
    },
  };
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
  /**
   * Compiles one of the validators that have been asked for, or that such refer to, before a value needs it, the nearest
   * first; false where none is left.
   * @param furthest the most references that may lead to it from a requested one; any number by default
   */
  compileNext(furthest?: number): boolean;
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
  if (error instanceof FuelExhausted) return [{ path: '', message: error.message }];
  if (error instanceof RangeError) return [{ path: '', message: TOO_DEEP }];
  throw error;
};

/** Tells whether the value fits, by a part of the fuel alone; undefined where that is used up before. */
const decideWithin = (
  fuel: Fuel,
  validate: ValidateFunction,
  value: unknown,
): boolean | undefined => {
  const part = makeFuel(Math.min(STEPS_FOR_ALL, fuel.left));
  try {
    return drawFrom(part, () => validate(value));
  } catch (error) {
    exhaustionOf(error);
    return undefined;
  } finally {
    fuel.left -= part.capacity - part.left;
  }
};

/** Makes the validators of one document. Nothing is translated or compiled before a value asks for it, nor ever twice. */
export const compileValidators = (formats: CustomFormats = {}): Validators => {
  const { idOf, jsonSchemaOf } = namedSchemas(formats);

  /** Asked for and, as far as is known, not compiled; by how many references lead there. */
  const pending: Set<() => unknown>[] = [];
  let distance = 0;
  const postpone = (compile: () => unknown): void => {
    const alike = pending[distance] ?? new Set();
    pending[distance] = alike.add(compile);
  };

  const compiler = (thorough: boolean) => {
    const engine = lazy(() =>
      createAjv(thorough, jsonSchemaOf, (compile) => thorough || postpone(compile)),
    );
    return memoizePairs((schema: Schema, mode: Mode): (() => ValidateFunction) =>
      lazy(() => engine()(idOf(schema, mode))),
    );
  };
  const quickOf = compiler(false);
  const thoroughOf = compiler(true);

  const validator = (schema: Schema, mode: Mode): Validate => {
    const [quick, thorough] = [quickOf(schema, mode), thoroughOf(schema, mode)];
    postpone(quick);

    const explain = (value: unknown, fuel: Fuel): readonly SchemaError[] => {
      const isRefused =
        isSmallerThan(SMALL, value) && decideWithin(fuel, thorough(), value) === false;
      return isRefused
        ? schemaErrors(thorough().errors ?? [], MOST_ERRORS)
        : schemaErrors(quick().errors ?? [], 1);
    };

    return (value) => {
      const fuel = currentFuel() ?? ownFuel();
      try {
        return drawFrom(fuel, () => quick()(value)) ? noErrors : explain(value, fuel);
      } catch (error) {
        return exhaustionOf(error);
      }
    };
  };

  return {
    validatorOf: memoizePairs(validator),
    accepts: (schema, mode = 'any') => {
      const quick = quickOf(schema, mode);
      return (value) => {
        const outer = currentFuel();
        try {
          return drawFrom(outer ?? ownFuel(), () => quick()(value));
        } catch (error) {
          // A message without fuel has none for the next alternative.
          if (outer !== undefined && error instanceof FuelExhausted) throw error;
          exhaustionOf(error);
          return false;
        }
      };
    },
    compileNext(furthest = Number.POSITIVE_INFINITY) {
      const nearest = pending.findIndex((alike) => alike?.size > 0);
      const [next] = pending[nearest] ?? [];
      if (next === undefined || nearest > furthest) return false;
      pending[nearest]?.delete(next);
      distance = nearest + 1;
      try {
        next();
      } finally {
        distance = 0;
      }
      return true;
    },
  };
};
