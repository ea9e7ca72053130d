/** The keywords that a translated schema (json-schema.ts) uses beside those of draft-07, as Ajv compiles them. */

import {
  _,
  type CodeKeywordDefinition,
  type ErrorObject,
  type KeywordCxt,
  Name,
  type ValidateFunction,
} from 'ajv';
import { not } from 'ajv/dist/compile/codegen';
import names from 'ajv/dist/compile/names';
import { Type } from 'ajv/dist/compile/util';
import dependentSchemas from 'ajv/dist/vocabularies/applicator/dependentSchemas';
import { callRef } from 'ajv/dist/vocabularies/core/ref';
import dependentRequired from 'ajv/dist/vocabularies/validation/dependentRequired';
import { spend } from '../../base/fuel';
import type { Check } from './checks/type-check';
import { evaluatesAll, unevaluatedKeys } from './evaluation';

type Context = Parameters<ValidateFunction>[1];

/** Called by Ajv's own code as it calls a compiled function: the errors stand at the function. */
export interface LazyValidator {
  (value: unknown, context?: Context): boolean;
  errors: ValidateFunction['errors'];
}

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
    for (const { message, messageFor, given, discriminates, accepts } of list) {
      context.setParams({
        message: messageFor ? call(messageFor) : message,
        discriminates,
        ...(given && { given: call(given) }),
      });
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

/** A name in compiled functions: of what has been evaluated of the value (evaluation.ts). */
const trail = new Name('trail');

/** `trail`: the first keyword of a schema in which something is `unevaluated`. */
const beginsTrail: CodeKeywordDefinition = {
  keyword: 'trail',
  schemaType: 'boolean',
  before,
  code: ({ gen }: KeywordCxt) => gen.code(_`const ${trail} = []`),
};

/** `evaluates`: predicates that join the trail. It is at each schema whose parts an `unevaluated` around it counts. */
const evaluates: CodeKeywordDefinition = {
  keyword: 'evaluates',
  schemaType: 'array',
  before,
  code({ gen, schema }: KeywordCxt) {
    for (const ref of schema) gen.code(_`${trail}.push(${gen.scopeValue('func', { ref })})`);
  },
};

const isTracked = ({ parentSchema }: KeywordCxt): boolean =>
  parentSchema['evaluates'] !== undefined;

const withoutErrors = { createErrors: false, allErrors: false };

/** Applies a schema that the value need not fit; where it does not, nothing of it stays in the trail. */
const attempt = (context: KeywordCxt, index: number, valid: Name, mode: object): void => {
  const { gen, keyword } = context;
  const mark = isTracked(context) && gen.const('mark', _`${trail}.length`);
  context.subschema({ keyword, schemaProp: index, compositeRule: true, ...mode }, valid);
  if (mark) gen.if(not(valid), () => gen.assign(_`${trail}.length`, mark));
};

/** `unevaluated`: schemas for the `properties` and `items` that the schema `within` does not evaluate. */
const unevaluated: CodeKeywordDefinition = {
  keyword: 'unevaluated',
  schemaType: 'object',
  before,
  code(context: KeywordCxt) {
    const { gen, data, schema, keyword, it } = context;
    const func = (ref: unknown) => gen.scopeValue('func', { ref });
    const applyTo = (kind: 'properties' | 'items', valid: Name): void => {
      const dataPropType = kind === 'items' ? Type.Num : Type.Str;
      const fits = gen.name('fits');
      const keys = gen.const(
        'keys',
        _`${func(unevaluatedKeys(kind))}(${data}, ${trail}, ${start})`,
      );
      gen.forOf('key', keys, (dataProp) => {
        context.subschema({ keyword, schemaProp: kind, dataProp, dataPropType }, fits);
        gen.if(not(fits), () => {
          gen.assign(valid, false);
          if (!it.allErrors) gen.break();
        });
      });
      gen.code(_`${trail}.push(${func(evaluatesAll[kind])})`);
    };
    const start = gen.const('start', _`${trail}.length`);
    const valid = gen.name('valid');
    context.subschema({ keyword, schemaProp: 'within' }, valid);
    gen.if(valid, () => {
      if (schema.properties) applyTo('properties', valid);
      if (schema.items) applyTo('items', valid);
    });
    context.ok(valid);
  },
};

/** `when`: a condition, and the schemas that hold where it does, and where it does not. */
const when: CodeKeywordDefinition = {
  keyword: 'when',
  schemaType: 'array',
  before,
  trackErrors: true,
  code(context: KeywordCxt) {
    const { gen, keyword } = context;
    const [holds, valid] = [gen.name('holds'), gen.name('valid')];
    const apply = (schemaProp: number) => () => context.subschema({ keyword, schemaProp }, valid);
    attempt(context, 0, holds, withoutErrors);
    context.reset();
    gen.if(holds, apply(1), apply(2));
    context.ok(valid);
  },
};

/** `holds`: a schema that a number of items fit. */
const holds: CodeKeywordDefinition = {
  keyword: 'holds',
  type: 'array',
  schemaType: 'object',
  trackErrors: true,
  error: { message: '', params: ({ schema: { message } }) => _`{message: ${message}}` },
  code(context: KeywordCxt) {
    const { gen, data, keyword, schema } = context;
    const found = gen.const('found', _`new Set()`);
    const valid = gen.name('valid');
    const item = {
      keyword,
      schemaProp: 'item',
      dataPropType: Type.Num,
      compositeRule: true as const,
    };
    gen.forRange('index', 0, _`${data}.length`, (dataProp) => {
      context.subschema({ ...item, dataProp, ...withoutErrors }, valid);
      gen.if(valid, () => gen.code(_`${found}.add(${dataProp})`));
    });
    context.reset();
    if (isTracked(context)) gen.code(_`${trail}.push((key) => ${found}.has(key))`);
    context.fail(_`${found}.size < ${schema.least} || ${found}.size > ${schema.most}`);
  },
};

/** Defines `fitsNames`: the id of a schema that the names of all properties fit. */
const fitsNames = (validatorOf: (id: string) => LazyValidator): CodeKeywordDefinition => ({
  keyword: 'fitsNames',
  type: 'object',
  schemaType: 'string',
  error: {
    message: '',
    params: ({ params: { name, errors } }) => _`{name: ${name}, errors: ${errors}}`,
  },
  trackErrors: true,
  code(context: KeywordCxt) {
    const { gen, data, schema, errsCount, it } = context;
    const validate = gen.scopeValue('func', { ref: validatorOf(schema) });
    gen.forIn('name', data, (name) => {
      gen.if(_`!${validate}(${name})`, () => {
        context.setParams({ name, errors: _`${validate}.errors` });
        context.error();
        if (!it.allErrors) gen.break();
      });
    });
    context.ok(_`${errsCount ?? 0} === ${names.errors}`);
  },
});

/** To try an alternative takes so many, beside those of what is in it. */
const STEPS_A_TRY = 2;

interface UnionBranch {
  /** Tells whether the value cannot fit the branch. */
  readonly isForeign?: (value: unknown) => boolean;
}

/** Lists which branches a value cannot fit; for errors none where it may fit no other branch of those that tell. */
const foreignBranches =
  (branches: readonly UnionBranch[], thorough: boolean) =>
  (value: unknown): readonly (boolean | undefined)[] => {
    spend(branches.length);
    const foreign = branches.map(({ isForeign }) => isForeign?.(value));
    return thorough && !foreign.includes(false) ? [] : foreign;
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
    const { gen, data, errsCount } = context;
    const branches: readonly UnionBranch[] = context.schema;
    const ref = foreignBranches(branches, thorough);
    const foreign =
      branches.some(({ isForeign }) => isForeign !== undefined) &&
      gen.const('foreign', _`${gen.scopeValue('func', { ref })}(${data})`);
    const fitting = gen.let('fitting', 0);
    const marks = thorough ? gen.const('marks', _`[]`) : undefined;
    const valid = gen.name('valid');
    const mode = thorough ? {} : withoutErrors;
    const take = gen.scopeValue('func', { ref: spend });
    // What each branch evaluates counts.
    const most = enough === 1 && isTracked(context) ? branches.length : enough;
    branches.forEach((_branch, index) => {
      const isPossible = foreign ? _`!${foreign}[${index}]` : _`true`;
      gen.if(_`${fitting} < ${most} && ${isPossible}`, () => {
        gen.code(_`${take}(${STEPS_A_TRY})`);
        attempt(context, index, valid, mode);
        gen.if(valid, () => gen.code(_`${fitting}++`));
        if (marks) gen.code(_`${marks}.push(${names.errors} - ${errsCount ?? 0})`);
      });
    });
    context.setParams({ size: branches.length, fitting, marks });
    context.result(
      enough === 1 ? _`${fitting} > 0` : _`${fitting} === 1`,
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
  beginsTrail,
  evaluates,
  checks,
  hides,
  unevaluated,
  when,
  union('fitsAny', 1, thorough),
  union('fitsOne', 2, thorough),
  holds,
  fitsNames(validatorOf),
  dependentRequired,
  dependentSchemas,
];
