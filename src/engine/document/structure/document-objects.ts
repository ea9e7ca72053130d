/** Lists everything in a document that has a meaning of its own; examples, defaults and extensions are data. */

import { pointerTo } from '../../lang/text-place';
import { type FieldType, type ObjectName, object } from './field-type';
import { objectNameOf, placesIn } from './places';

/** An object of the document and its place. */
export interface DocumentObject {
  readonly value: object;
  readonly pointer: string;
  /** What stands there; a Reference Object has the name of what it stands for. */
  readonly name: ObjectName;
}

/** Every object, outer ones first. */
export const documentObjects = (definition: object): readonly DocumentObject[] => {
  const found: DocumentObject[] = [];
  const visit = (value: unknown, kind: FieldType, pointer: string): void => {
    const name = objectNameOf(value, kind);
    if (name !== undefined) found.push({ value: Object(value), pointer, name });
    for (const place of placesIn(value, kind)) {
      visit(place.value, place.kind, pointerTo(pointer, place.key));
    }
  };
  visit(definition, object('OpenAPI'), '');
  return found;
};
