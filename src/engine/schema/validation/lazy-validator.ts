/** A validator that comes to be when a value first reaches it, so that no request waits for schemas that it does not touch. */

import type { ValidateFunction } from 'ajv';

type Context = Parameters<ValidateFunction>[1];

/** Called by Ajv's own code as it calls a compiled function: the errors stand at the function. */
export interface LazyValidator {
  (value: unknown, context?: Context): boolean;
  errors: ValidateFunction['errors'];
}

/** Makes one; `compile` is called once, unless it throws. */
export const lazyValidator = (compile: () => ValidateFunction): LazyValidator => {
  let compiled: ValidateFunction | undefined;
  const validate: LazyValidator = (value, context) => {
    compiled ??= compile();
    const isValid = compiled(value, context);
    validate.errors = compiled.errors;
    return isValid;
  };
  validate.errors = null;
  return validate;
};
