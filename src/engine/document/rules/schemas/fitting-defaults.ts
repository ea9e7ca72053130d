/** A schema's default fits the schema that it belongs to (OAS 3.0.3, Schema Object). */

import { defaultProblem } from '../../../schema/validation/default-problem';
import { type Rule, warningOf } from '../rule';

const finding = warningOf('default');

export const fittingDefaults: Rule = ({ objects }) =>
  objects.flatMap(({ value, pointer, name }) => {
    const message = name === 'Schema' ? defaultProblem(value) : undefined;
    if (message === undefined) return [];
    return [finding(`${pointer}/default`, `${message} Change it, or leave it out.`)];
  });
