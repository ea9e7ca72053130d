/** Walks a document along the table: lists the parts directly below a value, and their kinds. */

import { pointerTo } from '../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { referenceOf } from '../references/references';
import { type FieldType, type ObjectName, type ObjectType, object } from './field-type';
import { documentTypes, messageTypes, schemaTypes } from './object-types';

export const objectTypes: Readonly<Record<ObjectName, ObjectType>> = {
  ...documentTypes,
  ...messageTypes,
  ...schemaTypes,
};

/** A value in the document that the specification gives a meaning, and where it stands. */
export interface Position {
  /** The map or list that the value stands in. */
  readonly holder: object;
  /** Its key or index there. */
  readonly key: string;
  readonly value: unknown;
  readonly kind: FieldType;
  /** True where an error in it takes nothing out of service. */
  readonly isolated: boolean;
  /** True for a field that may be left out; keys of maps and lists are the author's. */
  readonly optional: boolean;
}

const fieldsIn = (holder: PlainObject, name: ObjectName): Position[] =>
  Object.keys(holder).flatMap((key) => {
    const { fields } = objectTypes[name];
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return [];
    const { kind, isolated, required } = field;
    return [{ holder, key, value: holder[key], kind, isolated, optional: !required }];
  });

const membersIn = (holder: object, kind: FieldType): Position[] =>
  Object.entries(holder).map(([key, value]: [string, unknown]) => {
    return { holder, key, value, kind, isolated: false, optional: false };
  });

const withoutExtensions = (positions: readonly Position[]): Position[] =>
  positions.filter(({ key }) => !key.startsWith('x-'));

/** Tells whether a value of that kind may be given by a Reference Object. */
export const isReferable = (kind: FieldType): boolean =>
  kind.is === 'flagOrSchema' || (kind.is === 'object' && objectTypes[kind.name].referable);

const partsOf = (value: PlainObject, name: ObjectName): Position[] => {
  const { members } = objectTypes[name];
  return members === undefined
    ? fieldsIn(value, name)
    : withoutExtensions(membersIn(value, members));
};

/** Lists the parts of a value of the kind; none of a reference, whose siblings are ignored, or of a wrong value. */
export const positionsIn = (value: unknown, kind: FieldType): readonly Position[] => {
  if (kind.is === 'list') return Array.isArray(value) ? membersIn(value, kind.of) : [];
  if (!isPlainObject(value)) return [];
  if (kind.is === 'map') {
    const members = membersIn(value, kind.of);
    return kind.extensible ? withoutExtensions(members) : members;
  }
  if (isReferable(kind) && referenceOf(value) !== undefined) return [];
  const name = objectNameOf(value, kind);
  return name === undefined ? [] : partsOf(value, name);
};

/** Returns the name of the object that a value of the kind is; undefined for lists, maps and scalars. */
export const objectNameOf = (value: unknown, kind: FieldType): ObjectName | undefined => {
  if (!isPlainObject(value)) return undefined;
  if (kind.is === 'flagOrSchema') return 'Schema';
  return kind.is === 'object' ? kind.name : undefined;
};

/** An object of the document and its position. */
export interface DocumentObject {
  readonly value: Readonly<PlainObject>;
  readonly pointer: string;
  /** The kind of object; a Reference Object has that of its target. */
  readonly name: ObjectName;
}

/** Lists every object, outer ones first. */
export const documentObjects = (definition: object): readonly DocumentObject[] => {
  const found: DocumentObject[] = [];
  const visit = (value: unknown, kind: FieldType, pointer: string): void => {
    const name = objectNameOf(value, kind);
    if (name !== undefined && isPlainObject(value)) found.push({ value, pointer, name });
    for (const position of positionsIn(value, kind)) {
      visit(position.value, position.kind, pointerTo(pointer, position.key));
    }
  };
  visit(definition, object('OpenAPI'), '');
  return found;
};
