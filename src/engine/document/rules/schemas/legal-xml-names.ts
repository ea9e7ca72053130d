/** Schemas have names that XML allows and can tell apart (OAS 3.0.3, XML Object); others count as none. */

import { isPlainObject } from '../../../../base/plain-object';
import { collidingProperties } from '../../../media-types/xml/xml-names';
import type { Schema, ShapeOf } from '../../../schema/shape';
import { readXmlObject } from '../../../schema/xml-object';
import { type Rule, ruleOf, warningOf } from '../rule';

/** The properties of one object that XML could not tell apart. */
const sharedNames = (schema: Schema, shapeOf: ShapeOf): string[] => {
  if (!('properties' in schema) && !('allOf' in schema)) return [];
  try {
    return [...collidingProperties(shapeOf(schema), new Map())];
  } catch {
    // Another rule reports a schema that cannot be read.
    return [];
  }
};

const warning = warningOf('xml-name');

const checkNames = ruleOf({
  Schema: ({ value, pointer }, { shapeOf }) => {
    const { xml } = value;
    const own = (isPlainObject(xml) ? readXmlObject(xml).errors : []).map((message) =>
      warning(`${pointer}/xml`, `The ${message}. Correct it, or leave it out.`),
    );
    const shared = sharedNames(value, shapeOf);
    if (shared.length === 0) return own;
    const message = `The properties ${shared.join(', ')} would share a name in XML and keep their own instead. Give them different ones.`;
    return [...own, warning(pointer, message)];
  },
});

/** Without any XML Object properties have names of their own. */
export const legalXmlNames: Rule = (context) =>
  context.objects.some(({ name }) => name === 'XML') ? checkNames(context) : [];
