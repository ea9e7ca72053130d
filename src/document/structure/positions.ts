/** Walks a document along the table: lists the parts directly below a value, and their kinds. */

import { pointerTo } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { Steps } from '../../base/run-in-steps';
import { referenceOf } from '../references/references';
import type { SchemaVisitor } from '../references/schema-resources';
import type { Version, VersionName } from '../versions/versions';
import { type FieldType, type ObjectName, type ObjectTypes, object } from './field-type';
import { objectTypes31, objectTypes32 } from './later-object-types';
import { objectTypes30 } from './object-types';

/** The objects of each version. */
export const typesOfVersions: Readonly<Record<VersionName, ObjectTypes>> = {
  '3.0': objectTypes30,
  '3.1': objectTypes31,
  '3.2': objectTypes32,
};

/** A value in the document, its kind and its place. */
export interface DocumentPart {
  readonly value: unknown;
  readonly kind: FieldType;
  readonly pointer: string;
}

/** A part within another one. */
export interface Position extends DocumentPart {
  /** The map or list that the value stands in. */
  readonly holder: object;
  /** Its key or index there. */
  readonly key: string;
  /** True where an error in it takes nothing out of service. */
  readonly isolated: boolean;
  /** True for a field that may be left out; keys of maps and lists are the author's. */
  readonly optional: boolean;
}

/** An object of the document and its position. */
export interface DocumentObject {
  readonly value: Readonly<PlainObject>;
  readonly pointer: string;
  /** The kind of object; a Reference Object has that of its target. */
  readonly name: ObjectName;
}

/** The table of objects of one version, and ways along it. */
export interface Structure {
  readonly version: Version;
  readonly types: ObjectTypes;
  /** Returns the part of a `$ref` in values of the kind. */
  referenceKind(kind: FieldType): 'instead' | 'beside' | 'none';
  /** Lists the parts directly below; none of a Reference Object, or of a wrong value. */
  positionsIn(part: DocumentPart): readonly Position[];
  /** Lists every object, outer ones first. */
  objectsIn(definition: object): Iterable<DocumentObject>;
  /** Visits the schemas of a part, outer ones first. */
  visitSchemas<Context>(
    part: DocumentPart,
    visit: SchemaVisitor<Context>,
    context: Context,
  ): Steps<void>;
}

const membersIn = (part: DocumentPart, kind: FieldType, isExtensible: boolean): Position[] => {
  const holder: PlainObject = Object(part.value);
  return Object.keys(holder)
    .filter((key) => !(isExtensible && key.startsWith('x-')))
    .map((key) => {
      const pointer = pointerTo(part.pointer, key);
      return { holder, key, value: holder[key], kind, pointer, isolated: false, optional: false };
    });
};

/** Returns the name of the object that a value of the kind is; undefined for lists, maps and scalars. */
export const objectNameOf = ({ value, kind }: DocumentPart): ObjectName | undefined => {
  if (!isPlainObject(value)) return undefined;
  if (kind.is === 'flagOrSchema') return 'Schema';
  return kind.is === 'object' ? kind.name : undefined;
};

/** Makes the part that is the whole of a document. */
export const wholeDocument = (value: unknown): DocumentPart => ({
  value,
  kind: object('OpenAPI'),
  pointer: '',
});

const makeStructure = (version: Version): Structure => {
  const types = typesOfVersions[version.name];

  const fieldsIn = (part: DocumentPart, name: ObjectName): Position[] => {
    const holder: PlainObject = Object(part.value);
    const { fields } = types[name];
    const found: Position[] = [];
    for (const key of Object.keys(holder)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field === undefined) continue;
      const { kind, isolated, required } = field;
      const pointer = pointerTo(part.pointer, key);
      found.push({ holder, key, value: holder[key], kind, pointer, isolated, optional: !required });
    }
    return found;
  };

  const referenceKind: Structure['referenceKind'] = (kind) => {
    if (kind.is === 'flagOrSchema') return types.Schema.reference;
    return kind.is === 'object' ? types[kind.name].reference : 'none';
  };

  const positionsIn: Structure['positionsIn'] = (part) => {
    const { value, kind } = part;
    if (kind.is === 'list') return Array.isArray(value) ? membersIn(part, kind.of, false) : [];
    if (!isPlainObject(value)) return [];
    if (kind.is === 'map') return membersIn(part, kind.of, kind.extensible);
    const name = objectNameOf(part);
    const isReference = referenceKind(kind) === 'instead' && referenceOf(value) !== undefined;
    if (name === undefined || isReference) return [];
    const { members } = types[name];
    return members === undefined ? fieldsIn(part, name) : membersIn(part, members, true);
  };

  const visitSchemas: Structure['visitSchemas'] = function* (part, visit, context) {
    const { value, pointer } = part;
    const isSchema = isPlainObject(value) && objectNameOf(part) === 'Schema';
    const inner = isSchema ? visit(value, pointer, context) : context;
    if (inner === undefined) return;
    yield;
    for (const position of positionsIn(part)) yield* visitSchemas(position, visit, inner);
  };

  function* objectsAt(part: DocumentPart): Generator<DocumentObject> {
    const { value, pointer } = part;
    const name = objectNameOf(part);
    if (name !== undefined && isPlainObject(value)) yield { value, pointer, name };
    for (const position of positionsIn(part)) yield* objectsAt(position);
  }

  return {
    version,
    visitSchemas,
    types,
    referenceKind,
    positionsIn,
    objectsIn: (definition) => objectsAt(wholeDocument(definition)),
  };
};

/** Gives the structure of a version. */
export const structureOf = memoize(makeStructure, { max: Number.POSITIVE_INFINITY });
