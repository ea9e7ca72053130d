/** The keywords of rules about a single value, and of values that no message repeats. */

import { _, type CodeKeywordDefinition, type ErrorObject, type KeywordCxt } from 'ajv';
import names from 'ajv/dist/compile/names';
import { spend } from '../../../base/fuel';
import type { Check } from './checks/type-check';

/** Standing before the first applicator of Ajv's own, they decide before anything is applied to parts. */
export const before = 'not';

/** Characters of a text that all of its checks together pass in a step. */
const CHARACTERS = 64;

const spendOn = (value: unknown): void =>
  spend(typeof value === 'string' ? 1 + Math.floor(value.length / CHARACTERS) : 1);

/** `checks`: what the value itself must be; the errors of types say what came. */
export const checks: CodeKeywordDefinition = {
  keyword: 'checks',
  schemaType: 'array',
  before,
  error: {
    message: '',
    params: ({ params: { message = '', came = '', decides = '' } }) =>
      _`{message: ${message}, came: ${came}, decides: ${decides}}`,
  },
  code(context: KeywordCxt) {
    const { gen, data } = context;
    const list: readonly Check[] = context.schema;
    const call = (ref: (value: unknown) => unknown) =>
      _`${gen.scopeValue('func', { ref })}(${data})`;
    gen.code(call(spendOn));
    for (const { message, tells, decides, accepts } of list) {
      const words = tells && { came: call(tells.came) };
      const own = tells?.message && { message: call(tells.message) };
      context.setParams({ message, decides, ...words, ...own });
      context.fail(_`!${call(accepts)}`);
    }
  },
};

/** Errors that nobody reads are made without params. */
const hideValues = (errors: readonly Partial<ErrorObject>[], first: number): void => {
  for (const { params } of errors.slice(first)) if (params !== undefined) params['came'] = '';
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
