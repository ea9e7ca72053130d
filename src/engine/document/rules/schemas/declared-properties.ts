/** What a schema requires it also describes; a name of its own is mostly a mistake in writing. */

import { isPlainObject } from '../../../lang/plain-object';
import { ruleOf, warningOf } from '../rule';

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
