/** Finds the references of a document: Reference Objects, misplaced references, mappings. */

import { pointerTo } from '../../base/json-pointer';
import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';
import { referenceOf } from '../references/references';
import { type FieldType, object } from '../structure/field-type';
import {
  type DocumentPart,
  objectNameOf,
  type Position,
  type Structure,
} from '../structure/positions';

/** A reference and how to change it. */
export interface RefLocation {
  /** The reference to follow. */
  readonly target: string;
  /** The reference as the file has it, which may lead to another reference. */
  readonly text: string;
  /** The kind of object that is expected behind the reference. */
  readonly kind: FieldType;
  /** The map that holds the reference, and its key there. */
  readonly holder: PlainObject;
  readonly key: string;
  /** The place of the reference in the bundled definition. */
  readonly pointer: string;
  /** Makes the reference lead elsewhere; undefined for one that leads by the way to it, and is never changed. */
  readonly redirect?: (ref: string) => void;
  /** Puts the target in the reference's place; undefined where a Reference Object may stand. */
  readonly replace?: ((value: unknown) => void) | undefined;
}

/** An Example Object whose content is a file of its own. */
export interface ExternalExample {
  readonly value: PlainObject;
  readonly pointer: string;
}

/** A part to be searched. */
export interface SearchedPart extends DocumentPart {
  /** The members to look into; all where this is not given. */
  readonly only?: ReadonlySet<string>;
}

const schema = object('Schema');

/** Makes the reference under a key of a discriminator, which may also be the name of a component (OAS 3.0.3, Discriminator Object). */
const mappedRef = (holder: PlainObject, key: string, pointer: string): RefLocation[] => {
  const text = holder[key];
  if (typeof text !== 'string' || !/[#/]|\.(?:ya?ml|json)$/.test(text)) return [];
  const at = pointerTo(pointer, key);
  const redirect = (target: string) => void Reflect.set(holder, key, target);
  return [{ target: text, text, kind: schema, holder, key, pointer: at, redirect }];
};

/** Makes the finder. */
export const refFinder = (structure: Structure) => {
  const { types } = structure;
  const hasDynamicRefs = Object.hasOwn(types.Schema.fields, '$dynamicRef');
  const hasDefaultMapping = Object.hasOwn(types.Discriminator.fields, 'defaultMapping');
  const mayStand = (kind: FieldType): boolean => structure.referenceKind(kind) !== 'none';
  const externalExamples: ExternalExample[] = [];
  const seen = new Map<object, Set<FieldType>>();
  /** Reference Objects that were changed since their file was read. */
  const redirected = new WeakSet<object>();

  const refAt = (
    { kind, pointer }: DocumentPart,
    holder: PlainObject,
    ref: string,
    replace?: RefLocation['replace'],
  ): RefLocation => ({
    target: ref,
    text: ref,
    kind: kind.is === 'flagOrSchema' ? schema : kind,
    holder,
    key: '$ref',
    pointer,
    redirect: (target) => {
      holder['$ref'] = target;
      redirected.add(holder);
    },
    replace,
  });

  const isNew = (value: object, kind: FieldType): boolean => {
    const kinds = seen.get(value) ?? new Set();
    if (kinds.has(kind)) return false;
    seen.set(value, kinds.add(kind));
    return true;
  };

  function* refsAt(position: Position): Generator<RefLocation> {
    const { value, kind, holder, key } = position;
    const ref = kind.is === 'anything' ? undefined : referenceOf(value);
    if (ref === undefined) return yield* refsBelow(position);
    if (!isPlainObject(value) || redirected.has(value)) return;
    const replace = (target: unknown) => void Reflect.set(holder, key, target);
    yield refAt(position, value, ref, mayStand(kind) ? undefined : replace);
    // A Reference Object has no parts.
    yield* refsBelow(position);
  }

  function* refsBelow(part: DocumentPart): Generator<RefLocation> {
    const { value, kind } = part;
    if (typeof value !== 'object' || value === null || !isNew(value, kind)) return;
    yield* refsOfParts(part);
  }

  function* mappedRefs(discriminator: PlainObject, pointer: string): Generator<RefLocation> {
    const { mapping } = discriminator;
    for (const name of isPlainObject(mapping) ? Object.keys(mapping) : []) {
      yield* mappedRef(Object(mapping), name, `${pointer}/mapping`);
    }
    if (hasDefaultMapping) yield* mappedRef(discriminator, 'defaultMapping', pointer);
  }

  function* refsOfParts(part: DocumentPart): Generator<RefLocation> {
    const { value, pointer } = part;
    const name = objectNameOf(part);
    if (name === 'Example' && isPlainObject(value) && ownText(value, 'externalValue')) {
      // Another rule reports those that are given twice.
      const isGiven = ['value', 'serializedValue'].some((key) => Object.hasOwn(value, key));
      if (!isGiven) externalExamples.push({ value, pointer });
    }
    if (name === 'Discriminator') yield* mappedRefs(Object(value), pointer);
    if (name === 'Schema' && hasDynamicRefs && isPlainObject(value)) {
      // Where it leads depends on the way to it, so that it is never changed.
      const key = '$dynamicRef';
      const text = ownText(value, key);
      const reference = { kind: schema, holder: value, key, pointer };
      if (text !== undefined) yield { target: text, text, ...reference };
    }
    yield* memberRefs(part);
  }

  function* memberRefs(part: SearchedPart): Generator<RefLocation> {
    for (const position of structure.positionsIn(part)) {
      if (part.only?.has(position.key) ?? true) yield* refsAt(position);
    }
  }

  return {
    /** Those that have been found so far. */
    externalExamples,
    /** Lists the references in a part, or the part itself, while it is searched; skips what was searched before. */
    *refsIn(part: SearchedPart): Generator<RefLocation> {
      const { value, kind } = part;
      if (part.only !== undefined) return yield* memberRefs(part);
      const ref = mayStand(kind) ? referenceOf(value) : undefined;
      if (ref === undefined) return yield* refsBelow(part);
      // References that lead to each other in a circle must come to an end.
      if (!isPlainObject(value) || redirected.has(value) || !isNew(value, kind)) return;
      yield refAt(part, value, ref);
      yield* refsOfParts(part);
    },
    /** Tells whether a Reference Object was changed to lead into the bundled definition. */
    isRedirected: (holder: object): boolean => redirected.has(holder),
  };
};
