/** Schemas have keywords that can be enforced, defaults that fit them, and properties that they require (OAS 3.0.3, Schema Object). */

import { pointerTo } from '../../../../base/json-pointer';
import { isPlainObject } from '../../../../base/plain-object';
import { valueKey } from '../../../schema/validation/checks/equality-checks';
import { defaultError, keywordError } from '../../../schema/validation/checks-of';
import { errorOf, ruleOf, warningOf } from '../rule';

export const enforceableKeywords = ruleOf({
  Schema: ({ value, pointer }) => {
    const error = keywordError(value);
    if (error === undefined) return [];
    const { message, keyword, advice = 'Correct the schema.' } = error;
    const at = keyword === undefined ? pointer : pointerTo(pointer, keyword);
    return [errorOf('schema-keyword')(at, `${message} ${advice}`)];
  },
});

export const fittingDefaults = ruleOf({
  Schema: ({ value, pointer }) => {
    const message = defaultError(value);
    if (message === undefined) return [];
    return [warningOf('default')(`${pointer}/default`, `${message} Change it, or leave it out.`)];
  },
});

/** Parts of a composed schema may require what another part describes. */
const isPart = (pointer: string): boolean => /\/(?:(?:allOf|oneOf|anyOf)\/\d+|not)$/.test(pointer);

const isComposed = (schema: object): boolean =>
  ['allOf', 'oneOf', 'anyOf'].some((keyword) => Object.hasOwn(schema, keyword));

export const declaredProperties = ruleOf({
  Schema: ({ value, pointer }) => {
    const { required, properties } = value;
    if (isPart(pointer) || isComposed(value)) return [];
    if (!Array.isArray(required) || !isPlainObject(properties)) return [];
    return required.flatMap((property: unknown, index) => {
      if (typeof property !== 'string' || Object.hasOwn(properties, property)) return [];
      const message = `The property ${property} is required and not described. Add it to \`properties\`, or correct its name.`;
      return [warningOf('required-property')(`${pointer}/required/${index}`, message)];
    });
  },
});

/** The indices of values that stand in the list before; numbers are equal by their value, as 1 and 1.0 are. */
const repeatedIn = (list: unknown): number[] => {
  const seen = new Set<string>();
  return (Array.isArray(list) ? list : []).flatMap((value: unknown, index) =>
    seen.size < seen.add(valueKey(value)).size ? [] : [index],
  );
};

export const distinctValues = ruleOf({
  Schema: ({ value: { required, enum: values }, pointer }) => [
    ...repeatedIn(required).map((index) => {
      const message =
        'The name stands twice in `required`, whose names must be unique. Remove one of the two.';
      return errorOf('repeated-value')(`${pointer}/required/${index}`, message);
    }),
    ...repeatedIn(values).map((index) => {
      const message = 'The value stands twice in `enum`. Remove one of the two.';
      return warningOf('repeated-value')(`${pointer}/enum/${index}`, message);
    }),
  ],
});
