/** Schemas have keywords that can be enforced, and defaults that fit them (OAS 3.0.3, Schema Object). */

import { defaultError, keywordError } from '../../../schema/validation/keyword-errors';
import { errorOf, ruleOf, warningOf } from '../rule';

export const enforceableKeywords = ruleOf({
  Schema: ({ value, pointer }) => {
    const message = keywordError(value);
    if (message === undefined) return [];
    return [errorOf('schema-keyword')(pointer, `${message} Correct the schema.`)];
  },
});

export const fittingDefaults = ruleOf({
  Schema: ({ value, pointer }) => {
    const message = defaultError(value);
    if (message === undefined) return [];
    return [warningOf('default')(`${pointer}/default`, `${message} Change it, or leave it out.`)];
  },
});
