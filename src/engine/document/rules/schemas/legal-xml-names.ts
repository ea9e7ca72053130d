/** Schemas have names that XML allows and can tell apart (OAS 3.0.3, XML Object); those at fault count as none. */

import { collidingProperties } from '../../../media-types/xml/xml-names';
import type { Schema, ShapeOf } from '../../../schema/shape';
import { isFields } from '../../../schema/validation/checks/schema-fields';
import { readXmlObject } from '../../../schema/xml-object';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { type Rule, warningOf } from '../rule';

const namesAtFault = (schema: object): readonly string[] =>
  'xml' in schema && isFields(schema.xml) ? readXmlObject(schema.xml).problems : [];

/** The properties of one object that XML could not tell apart. */
const sharedNames = (schema: Schema, shapeOf: ShapeOf): string[] => {
  if (!('properties' in schema) && !('allOf' in schema)) return [];
  try {
    return [...collidingProperties(shapeOf(schema), new Map())];
  } catch {
    // A schema that cannot be read is the finding of another rule.
    return [];
  }
};

const finding = warningOf('xml-name');

export const legalXmlNames: Rule = ({ objects, shapeOf }) => {
  // Without any XML Object properties have names of their own.
  if (!objects.some(({ name }) => name === 'XML')) return [];
  return objects.flatMap(({ value, pointer, name }): UnplacedDiagnostic[] => {
    if (name !== 'Schema') return [];
    const own = namesAtFault(value).map((message) =>
      finding(`${pointer}/xml`, `The ${message}. Correct it, or leave it out.`),
    );
    const shared = sharedNames(value, shapeOf);
    if (shared.length === 0) return own;
    const message = `The properties ${shared.join(', ')} would share a name in XML and keep their own instead. Give them different ones.`;
    return [...own, finding(pointer, message)];
  });
};
