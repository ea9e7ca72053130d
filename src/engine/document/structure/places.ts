/** Walks a document along the table: what stands directly below a value, and what each part is. */

import { isPlainObject, type PlainObject } from '../../lang/plain-object';
import { referenceOf } from '../references/reference-of';
import type { FieldType, ObjectName } from './field-type';
import { objectKinds } from './object-types';

/** A place of the document that the specification gives a meaning. */
export interface Place {
  /** The map or list that the value stands in. */
  readonly holder: object;
  /** Its key or index there. */
  readonly key: string;
  readonly value: unknown;
  readonly kind: FieldType;
  /** Whether nothing that is served depends on it. */
  readonly idle: boolean;
  /** Whether the key is that of a field, and may be left out; of maps and lists it is the author's. */
  readonly optional: boolean;
}

const isExtension = (key: string): boolean => key.startsWith('x-');

const fieldsIn = (holder: PlainObject, name: ObjectName): Place[] => {
  const { fields } = objectKinds[name];
  const places: Place[] = [];
  for (const key of Object.keys(holder)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) continue;
    const { kind, idle, required } = field;
    places.push({ holder, key, value: holder[key], kind, idle, optional: !required });
  }
  return places;
};

const membersIn = (
  holder: PlainObject,
  { of, extensible }: { readonly of: FieldType; readonly extensible: boolean },
): Place[] =>
  Object.keys(holder)
    .filter((key) => !extensible || !isExtension(key))
    .map((key) => ({ holder, key, value: holder[key], kind: of, idle: false, optional: false }));

/** Whether a value of that kind may be given by a Reference Object. */
export const isReferable = (kind: FieldType): boolean =>
  kind.is === 'flagOrSchema' || (kind.is === 'object' && objectKinds[kind.name].referable);

const itemsIn = (holder: readonly unknown[], kind: FieldType): Place[] =>
  holder.map((value, index) => {
    return { holder, key: String(index), value, kind, idle: false, optional: false };
  });

const partsIn = (value: PlainObject, name: ObjectName): Place[] => {
  const { members } = objectKinds[name];
  return members === undefined
    ? fieldsIn(value, name)
    : membersIn(value, { of: members, extensible: true });
};

/** The parts of a value of the kind; none below a reference, whose siblings are ignored, and none of a wrong value. */
export const placesIn = (value: unknown, kind: FieldType): readonly Place[] => {
  if (kind.is === 'list') return Array.isArray(value) ? itemsIn(value, kind.of) : [];
  if (!isPlainObject(value)) return [];
  if (kind.is === 'map') return membersIn(value, kind);
  if (isReferable(kind) && referenceOf(value) !== undefined) return [];
  const name = objectNameOf(value, kind);
  return name === undefined ? [] : partsIn(value, name);
};

/** The object that a value of the kind is; undefined for lists, maps and scalars. */
export const objectNameOf = (value: unknown, kind: FieldType): ObjectName | undefined => {
  if (!isPlainObject(value)) return undefined;
  if (kind.is === 'flagOrSchema') return 'Schema';
  return kind.is === 'object' ? kind.name : undefined;
};
