/** Validators of typed values (int64 is bigint, binary is Uint8Array, the rest is JSON) by schemas of OAS 3.0. */

import type { ValidateFunction } from 'ajv';
import { lazy, memoizePairs } from '../../lang/memoize';
import type { Direction, Mode, Schema, SchemaSource } from '../shape';
import { isExhaustion, makeFuel } from './fuel';
import { createAjv } from './keywords';
import { namedSchemas } from './named-schemas';
import { type SchemaError, schemaErrors } from './schema-errors';

/**
 * Whether the value has at most so many members and items, itself included, at all levels together.
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
  /** The validator of a schema; the same one for the same schema object and direction. Compiled at its first use. */
  validatorOf(schema: Schema, direction: Direction): Validate;
  /**
   * Whether a value fits, without saying why not. `any`, the default, is whichever way it travels: read-only and
   * write-only properties are checked, but not required.
   */
  accepts(schema: Schema, mode?: Mode): (value: unknown) => boolean;
  /**
   * Compiles one of the validators that have been asked for, or that such refer to, before a value needs it, the nearest
   * first; false where none is left.
   * @param furthest how many references may lead to it from what was asked for; any number, where this is not given
   */
  compileNext(furthest?: number): boolean;
}

/** Schemas that one validation may enter: enough for each member of a large body, spent in well under a second. */
const FUEL = 1_000_000;
/** For looking for further errors of a small value, which keeps what it finds in memory. */
const FUEL_FOR_ALL = 20_000;
/** Members and items of a value whose errors are all looked for. */
const SMALL = 2_000;
const MOST_ERRORS = 20;

const noErrors: readonly SchemaError[] = Object.freeze([]);
const tooEntangled: readonly SchemaError[] = Object.freeze([
  { path: '', message: 'must be nested less deeply, or fit fewer alternatives at once' },
]);

/** Validators over one document. Nothing is translated or compiled before a value asks for it, nor ever twice. */
export const compileValidators = (source: SchemaSource): Validators => {
  const fuel = makeFuel();
  /** `gave-up` where the units, or the stack, were used up before the value was decided. */
  const run = (validate: ValidateFunction, value: unknown, units: number) => {
    fuel.fill(units);
    try {
      return validate(value) ? 'valid' : 'invalid';
    } catch (error) {
      if (isExhaustion(error)) return 'gave-up';
      throw error;
    }
  };
  const { idOf, jsonSchemaOf } = namedSchemas(source);

  /** Asked for and, as far as is known, not compiled; by how many references lead there. */
  const pending: Set<() => unknown>[] = [];
  let distance = 0;
  const postpone = (compile: () => unknown): void => {
    const alike = pending[distance] ?? new Set();
    pending[distance] = alike.add(compile);
  };

  const compiler = (thorough: boolean) => {
    const engine = lazy(() =>
      createAjv(fuel, thorough, jsonSchemaOf, (compile) => thorough || postpone(compile)),
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

    const explain = (value: unknown): readonly SchemaError[] => {
      if (isSmallerThan(SMALL, value) && run(thorough(), value, FUEL_FOR_ALL) === 'invalid') {
        return schemaErrors(thorough().errors ?? [], MOST_ERRORS);
      }
      return schemaErrors(quick().errors ?? [], 1);
    };

    return (value) => {
      const verdict = run(quick(), value, FUEL);
      if (verdict === 'valid') return noErrors;
      return verdict === 'invalid' ? explain(value) : tooEntangled;
    };
  };

  return {
    validatorOf: memoizePairs(validator),
    accepts: (schema, mode = 'any') => {
      const quick = quickOf(schema, mode);
      return (value) => run(quick(), value, FUEL) === 'valid';
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
