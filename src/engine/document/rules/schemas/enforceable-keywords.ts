/** Schemas have keywords that can be enforced (OAS 3.0.3, Schema Object): no ill-typed limit, no list as `type`. */

import { keywordProblem } from '../../../schema/validation/keyword-problem';
import { errorOf, type Rule } from '../rule';

const finding = errorOf('schema-keyword');

export const enforceableKeywords: Rule = ({ objects }) =>
  objects.flatMap(({ value, pointer, name }) => {
    const message = name === 'Schema' ? keywordProblem(value) : undefined;
    return message === undefined ? [] : [finding(pointer, `${message} Correct the schema.`)];
  });
