/** Ajv with the keywords that a translated schema uses beside those of draft-07; each schema is compiled at its first use. */

import {
  _,
  Ajv,
  type CodeKeywordDefinition,
  type ErrorObject,
  type KeywordCxt,
  type ValidateFunction,
} from 'ajv';
import names from 'ajv/dist/compile/names';
import { callRef } from 'ajv/dist/vocabularies/core/ref';
import { answerOnce, spend } from '../../base/fuel';
import { memoize } from '../../base/memoize';
import type { Check } from './checks/type-check';
import type { JsonSchema } from './json-schema';

/** Standing before the first applicator of Ajv's own, they decide before anything is applied to parts. */
export const before = 'not';

/** Characters of a text that all of its checks together pass in a step. */
const CHARACTERS = 64;

const spendOn = (value: unknown): void =>
  spend(typeof value === 'string' ? 1 + Math.floor(value.length / CHARACTERS) : 1);

/** `checks`: the rules of the value itself; errors of types describe the given value. */
export const checks: CodeKeywordDefinition = {
  keyword: 'checks',
  schemaType: 'array',
  before,
  error: {
    message: '',
    params: ({ params: { message = '', given = '', discriminates = '' } }) =>
      _`{message: ${message}, given: ${given}, discriminates: ${discriminates}}`,
  },
  code(context: KeywordCxt) {
    const { gen, data } = context;
    const list: readonly Check[] = context.schema;
    const call = (ref: (value: unknown) => unknown) =>
      _`${gen.scopeValue('func', { ref })}(${data})`;
    gen.code(call(spendOn));
    for (const { message, describes, discriminates, accepts } of list) {
      const given = describes && { given: call(describes.given) };
      const specific = describes?.message && { message: call(describes.message) };
      context.setParams({ message, discriminates, ...given, ...specific });
      context.fail(_`!${call(accepts)}`);
    }
  },
};

/** Removes values from errors; Ajv makes errors without params where they are not kept. */
const hideValues = (errors: readonly Partial<ErrorObject>[], first: number): void => {
  for (const { params } of errors.slice(first)) if (params !== undefined) params['given'] = '';
};

/** `hides`: the schema itself, whose errors repeat nothing of the value. */
export const hides: CodeKeywordDefinition = {
  keyword: 'hides',
  schemaType: 'object',
  before,
  code(context: KeywordCxt) {
    const { gen } = context;
    const first = gen.const('first', names.errors);
    const valid = gen.name('valid');
    context.subschema({ keyword: 'hides' }, valid);
    const hide = gen.scopeValue('func', { ref: hideValues });
    gen.if(_`!${valid} && ${names.vErrors}`, () =>
      gen.code(_`${hide}(${names.vErrors}, ${first})`),
    );
    context.ok(valid);
  },
};

/** `spendsFuel`: entering the schema takes so many steps. */
const spendsFuel: CodeKeywordDefinition = {
  keyword: 'spendsFuel',
  schemaType: 'number',
  before,
  code({ gen, schema }: KeywordCxt) {
    gen.code(_`${gen.scopeValue('func', { ref: spend })}(${schema})`);
  },
};

/**
 * Defines `fitsAny` and `fitsOne`: anyOf and oneOf. A thorough one keeps the branches' errors before its own, whose `marks`
 * are the ends of those of each branch; otherwise they are dropped, so that memory stays bounded.
 */
const union = (keyword: string, enough: 1 | 2, thorough: boolean): CodeKeywordDefinition => ({
  keyword,
  schemaType: 'array',
  before,
  trackErrors: true,
  error: {
    message: '',
    params: ({ params: { size = 0, fitting = 0, marks = _`[]` } }) =>
      _`{size: ${size}, fitting: ${fitting}, marks: ${marks}}`,
  },
  code(context: KeywordCxt) {
    const { gen, errsCount } = context;
    const branches: readonly unknown[] = context.schema;
    const fitting = gen.let('fitting', 0);
    const marks = thorough ? gen.const('marks', _`[]`) : undefined;
    const valid = gen.name('valid');
    const mode = thorough ? {} : { createErrors: false, allErrors: false };
    branches.forEach((_branch, index) => {
      gen.if(_`${fitting} < ${enough}`, () => {
        context.subschema({ keyword, schemaProp: index, compositeRule: true, ...mode }, valid);
        gen.if(valid, () => gen.code(_`${fitting}++`));
        if (marks) gen.code(_`${marks}.push(${names.errors} - ${errsCount ?? 0})`);
      });
    });
    context.setParams({ size: branches.length, fitting, marks });
    context.result(
      _`${fitting} === 1`,
      () => context.reset(),
      () => {
        if (!thorough) context.reset();
        context.error(thorough);
      },
    );
  },
});

/** Defines `refersTo`: as `$ref`, by id; yet its target is compiled when a value first comes there. */
const refersTo = (validatorOf: (id: string) => LazyValidator): CodeKeywordDefinition => ({
  keyword: 'refersTo',
  schemaType: 'string',
  before,
  code(context: KeywordCxt) {
    callRef(context, context.gen.scopeValue('func', { ref: validatorOf(context.schema) }));
  },
});

/**
 * Lists the keywords of one Ajv instance.
 * @param thorough whether failing unions keep the errors of their branches
 * @param validatorOf gives the validator of the schema that has an id
 */
export const keywords = (
  thorough: boolean,
  validatorOf: (id: string) => LazyValidator,
): readonly CodeKeywordDefinition[] => [
  refersTo(validatorOf),
  spendsFuel,
  checks,
  hides,
  union('fitsAny', 1, thorough),
  union('fitsOne', 2, thorough),
];

type Context = Parameters<ValidateFunction>[1];

/** Called by Ajv's own code as it calls a compiled function: the errors stand at the function. */
interface LazyValidator {
  (value: unknown, context?: Context): boolean;
  errors: ValidateFunction['errors'];
}

/** Makes one; `compile` is called once, unless it throws. */
const lazyValidator = (compile: () => ValidateFunction, thorough: boolean): LazyValidator => {
  let compiled: ValidateFunction | undefined;
  const errorsOf = (value: unknown, context?: Context): ValidateFunction['errors'] => {
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

/** Compiles the schema that has the id, once; those that it refers to, however far, follow as values reach them. */
type AjvInstance = (id: string) => ValidateFunction;

/**
 * Makes an Ajv instance.
 * @param thorough whether to go on after the first error; takes memory in proportion to the errors
 * @param onRefer receives the function that compiles a schema that another refers to
 */
export const createAjv = (
  thorough: boolean,
  jsonSchemaOf: (id: string) => JsonSchema,
  onRefer: (compile: () => ValidateFunction) => void,
): AjvInstance => {
  const always = { max: Number.POSITIVE_INFINITY };
  const lazyOf = memoize((id: string) => {
    const compile = () => compiled(id);
    onRefer(compile);
    return lazyValidator(compile, thorough);
  }, always);
  const ajv = new Ajv({
    allErrors: thorough,
    // Takes a third of the time of compiling, and V8 does as much later.
    code: { optimize: false },
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
