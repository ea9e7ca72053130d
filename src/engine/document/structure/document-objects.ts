/** Lists everything in a document that has a meaning of its own; examples, defaults and extensions are data. */

import { pointerTo } from '../../lang/text-place';
import { fieldsOf, type SchemaFields } from '../../schema/schema-fields';
import { type FieldType, type ObjectName, object } from './field-type';
import { objectNameOf, positionsIn } from './positions';

/** An object of the document and its position. */
export interface DocumentObject {
  readonly value: SchemaFields;
  readonly pointer: string;
  /** What stands there; a Reference Object has the name of what it stands for. */
  readonly name: ObjectName;
}

/** Every object, outer ones first. */
export const documentObjects = (definition: object): readonly DocumentObject[] => {
  const found: DocumentObject[] = [];
  const visit = (value: unknown, kind: FieldType, pointer: string): void => {
    const name = objectNameOf(value, kind);
    if (name !== undefined) found.push({ value: fieldsOf(value), pointer, name });
    for (const position of positionsIn(value, kind)) {
      visit(position.value, position.kind, pointerTo(pointer, position.key));
    }
  };
  visit(definition, object('OpenAPI'), '');
  return found;
};
