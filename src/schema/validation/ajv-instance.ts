/** Ajv with our keywords; each schema is compiled at its first use. */

import { Ajv, type ValidateFunction } from 'ajv';
import { answerOnce, spend } from '../../base/fuel';
import { memoize } from '../../base/memoize';
import { keywords, type LazyValidator } from './ajv-keywords';
import { patternTest } from './checks/pattern-check';
import type { JsonSchema } from './json-schema';

/** Runs the patterns of names as those of texts. */
const regExp = Object.assign(
  (source: string) => ({ test: patternTest(source), toString: () => source }),
  { code: 'patternTest' },
);

/** Makes a validator that is compiled at its first use; `compile` is called once, unless it throws. */
const lazyValidator = (compile: () => ValidateFunction, thorough: boolean): LazyValidator => {
  let compiled: ValidateFunction | undefined;
  const errorsOf = (
    value: unknown,
    context?: Parameters<LazyValidator>[1],
  ): ValidateFunction['errors'] => {
    compiled ??= compile();
    if (compiled(value, context)) return null;
    const errors = compiled.errors ?? [];
    // They are copied behind those that were found before.
    spend(errors.length);
    return errors;
  };
  const validate: LazyValidator = (value, context) => {
    const ask = (given: unknown) => ({ errors: errorsOf(given, context) });
    // The errors of a thorough validator are read from the end of one list.
    const { errors } = thorough ? ask(value) : answerOnce(validate, value, ask);
    validate.errors = errors;
    return errors === null;
  };
  validate.errors = null;
  return validate;
};

/**
 * Makes an Ajv instance: the function that compiles the schema that has an id, once; those that it refers to, however far, follow as
 * values reach them.
 * @param thorough whether to go on after the first error; takes memory in proportion to the errors
 * @param onRefer receives the function that compiles a schema that another refers to
 */
export const createAjv = (
  thorough: boolean,
  jsonSchemaOf: (id: string) => JsonSchema,
  onRefer: (compile: () => ValidateFunction) => void,
): ((id: string) => ValidateFunction) => {
  const always = { max: Number.POSITIVE_INFINITY };
  const lazyOf = memoize((id: string) => {
    const compile = () => compiled(id);
    onRefer(compile);
    return lazyValidator(compile, thorough);
  }, always);
  const ajv = new Ajv({
    allErrors: thorough,
    // Takes a third of the time of compiling, and V8 does as much later.
    code: { optimize: false, regExp },
    keywords: [...keywords(thorough, lazyOf)],
    logger: false,
    messages: false,
    meta: false,
    // A property named `constructor` is there only if the value has it.
    ownProperties: true,
    strict: false,
    validateSchema: false,
  });
  const compiled = memoize((id: string): ValidateFunction => ajv.compile(jsonSchemaOf(id)), always);
  return compiled;
};
