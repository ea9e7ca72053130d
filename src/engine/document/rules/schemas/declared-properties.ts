/** What a schema requires it also describes; a name of its own is mostly a mistake in writing. */

import { isFields } from '../../../schema/validation/checks/schema-fields';
import { type Rule, warningOf } from '../rule';

const finding = warningOf('required-property');

/** Parts of a composed schema may require what another part describes. */
const isPart = (pointer: string): boolean => /\/(?:(?:allOf|oneOf|anyOf)\/\d+|not)$/.test(pointer);

const isComposed = (schema: object): boolean =>
  ['allOf', 'oneOf', 'anyOf'].some((keyword) => Object.hasOwn(schema, keyword));

export const declaredProperties: Rule = ({ objects }) =>
  objects.flatMap(({ value, pointer, name }) => {
    if (name !== 'Schema' || isPart(pointer) || isComposed(value) || !isFields(value)) return [];
    const { required, properties } = value;
    if (!Array.isArray(required) || !isFields(properties)) return [];
    return required.flatMap((property: unknown, index) => {
      if (typeof property !== 'string' || Object.hasOwn(properties, property)) return [];
      const message = `The property ${property} is required and not described. Add it to \`properties\`, or correct its name.`;
      return [finding(`${pointer}/required/${index}`, message)];
    });
  });
