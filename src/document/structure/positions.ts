/** Walks a document along the table: lists the parts directly below a value, and their kinds. */

import { pointerTo } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { Steps } from '../../base/run-in-steps';
import { referenceOf } from '../references/references';
import type { SchemaVisitor } from '../references/schema-resources';
import type { Version, VersionName } from '../versions/versions';
import {
  type FieldType,
  type ObjectName,
  type ObjectType,
  type ObjectTypes,
  object,
} from './field-type';
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

/** The table of objects of one version, and ways along it. */
export class Structure {
  readonly version: Version;
  readonly types: ObjectTypes;

  constructor(version: Version) {
    this.version = version;
    this.types = typesOfVersions[version.name];
  }

  /** Returns the part of a `$ref` in values of the kind. */
  referenceKind(kind: FieldType): ObjectType['reference'] {
    if (kind.is === 'flagOrSchema') return this.types.Schema.reference;
    return kind.is === 'object' ? this.types[kind.name].reference : 'none';
  }

  /** Lists the parts directly below; none of a Reference Object, or of a wrong value. */
  positionsIn(part: DocumentPart): readonly Position[] {
    const { value, kind } = part;
    if (kind.is === 'list') return Array.isArray(value) ? membersIn(part, kind.of, false) : [];
    if (!isPlainObject(value)) return [];
    if (kind.is === 'map') return membersIn(part, kind.of, kind.extensible);
    const name = objectNameOf(part);
    const isReference = this.referenceKind(kind) === 'instead' && referenceOf(value) !== undefined;
    if (name === undefined || isReference) return [];
    const { members, fields } = this.types[name];
    if (members !== undefined) return membersIn(part, members, true);
    const found: Position[] = [];
    for (const key of Object.keys(value)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field === undefined) continue;
      const { kind, isolated, required } = field;
      const pointer = pointerTo(part.pointer, key);
      const optional = !required;
      found.push({ holder: value, key, value: value[key], kind, pointer, isolated, optional });
    }
    return found;
  }

  /** Lists every object of a part, outer ones first. */
  *objectsIn(part: DocumentPart): Generator<DocumentObject> {
    const { value, pointer } = part;
    const name = objectNameOf(part);
    if (name !== undefined && isPlainObject(value)) yield { value, pointer, name };
    for (const position of this.positionsIn(part)) yield* this.objectsIn(position);
  }

  /** Visits the schemas of a part, outer ones first. */
  *visitSchemas<Context>(
    part: DocumentPart,
    visit: SchemaVisitor<Context>,
    context: Context,
  ): Steps<void> {
    const { value, pointer } = part;
    const isSchema = isPlainObject(value) && objectNameOf(part) === 'Schema';
    const inner = isSchema ? visit(value, pointer, context) : context;
    if (inner === undefined) return;
    yield;
    for (const position of this.positionsIn(part)) {
      yield* this.visitSchemas(position, visit, inner);
    }
  }
}

/** Gives the structure of a version. */
export const structureOf = memoize((version: Version) => new Structure(version));
