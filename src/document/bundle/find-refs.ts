/** Finds the references of a document: Reference Objects, misplaced references, mappings. */

import { pointerTo } from '../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { referenceOf } from '../references/references';
import { type FieldType, object } from '../structure/field-type';
import { objectNameOf, type Position, type Structure } from '../structure/positions';

/** A reference and how to change it. */
export interface RefLocation {
  /** The reference to follow. */
  readonly target: string;
  /** The reference as the file has it, which may lead to another reference. */
  readonly text: string;
  /** The kind of object that is expected behind the reference. */
  readonly kind: FieldType;
  /** The map that holds the reference; undefined for a mapping. */
  readonly holder: PlainObject | undefined;
  /** The place of the reference in the bundled definition. */
  readonly pointer: string;
  /** Makes the reference lead elsewhere. */
  redirect(ref: string): void;
  /** Puts the target in the reference's place; undefined where a Reference Object may stand. */
  readonly replace: ((value: unknown) => void) | undefined;
}

/** A value and its kind. */
export interface Part {
  readonly value: unknown;
  readonly kind: FieldType;
  readonly pointer: string;
  /** The members to look into; all where this is not given. */
  readonly only?: ReadonlySet<string>;
}

interface RefFinder {
  /** Lists the references in a part, or the part itself; skips what was searched before. */
  refsIn(part: Part): readonly RefLocation[];
  /** Tells whether a Reference Object was changed to lead into the bundled definition. */
  isRedirected(holder: object): boolean;
}

const schema = object('Schema');

const refAt = (
  position: Pick<Position, 'holder' | 'key' | 'value' | 'kind'>,
  ref: string,
  pointer: string,
  mayStand: boolean,
  redirected: WeakSet<object>,
): RefLocation => {
  const { holder, key, value, kind } = position;
  return {
    target: ref,
    text: ref,
    kind: kind.is === 'flagOrSchema' ? schema : kind,
    holder: isPlainObject(value) ? value : undefined,
    pointer,
    redirect: (target) => {
      Reflect.set(Object(value), '$ref', target);
      redirected.add(Object(value));
    },
    replace: mayStand ? undefined : (target) => void Reflect.set(holder, key, target),
  };
};

/** Lists the references of a mapping, which may also hold names of components (OAS 3.0.3, Discriminator Object). */
const mappingRefs = (value: unknown, pointer: string): RefLocation[] => {
  const mapping = isPlainObject(value) ? value['mapping'] : undefined;
  if (!isPlainObject(mapping)) return [];
  return Object.entries(mapping).flatMap(([name, ref]) =>
    typeof ref === 'string' && /[#/]|\.(?:ya?ml|json)$/.test(ref)
      ? [
          {
            target: ref,
            text: ref,
            kind: schema,
            holder: undefined,
            pointer: pointerTo(`${pointer}/mapping`, name),
            redirect: (target: string) => void Reflect.set(mapping, name, target),
            replace: undefined,
          },
        ]
      : [],
  );
};

/** Makes the finder. */
export const refFinder = ({ positionsIn, referenceKind }: Structure): RefFinder => {
  const mayStand = (kind: FieldType): boolean => referenceKind(kind) !== 'none';
  const seen = new Map<object, Set<FieldType>>();
  /** Reference Objects that were changed since their file was read. */
  const redirected = new WeakSet<object>();

  const isNew = (value: object, kind: FieldType): boolean => {
    const kinds = seen.get(value) ?? new Set();
    if (kinds.has(kind)) return false;
    seen.set(value, kinds.add(kind));
    return true;
  };

  const refsAt = (position: Position, pointer: string): readonly RefLocation[] => {
    const { value, kind } = position;
    const ref = kind.is === 'anything' ? undefined : referenceOf(value);
    if (ref === undefined) return refsBelow({ value, kind, pointer });
    if (redirected.has(Object(value))) return [];
    const here = refAt(position, ref, pointer, mayStand(kind), redirected);
    // A Reference Object has no parts.
    return [here, ...refsBelow({ value, kind, pointer })];
  };

  function refsBelow(part: Part): readonly RefLocation[] {
    const { value, kind } = part;
    return typeof value === 'object' && value !== null && isNew(value, kind)
      ? refsOfParts(part)
      : [];
  }

  function refsOfParts({ value, kind, pointer }: Part): readonly RefLocation[] {
    const isDiscriminator = objectNameOf(value, kind) === 'Discriminator';
    return [
      ...(isDiscriminator ? mappingRefs(value, pointer) : []),
      ...positionsIn(value, kind).flatMap((position) =>
        refsAt(position, pointerTo(pointer, position.key)),
      ),
    ];
  }

  const memberRefs = ({ value, kind, pointer }: Part, only: ReadonlySet<string>) =>
    positionsIn(value, kind)
      .filter(({ key }) => only.has(key))
      .flatMap((position) => refsAt(position, pointerTo(pointer, position.key)));

  const ownRef = ({ value, kind, pointer }: Part, ref: string): readonly RefLocation[] => {
    // References that lead to each other in a circle must come to an end.
    if (redirected.has(Object(value)) || !isNew(Object(value), kind)) return [];
    const here = refAt({ holder: {}, key: '', value, kind }, ref, pointer, true, redirected);
    return [here, ...refsOfParts({ value, kind, pointer })];
  };

  return {
    refsIn(part) {
      if (part.only !== undefined) return memberRefs(part, part.only);
      const ref = mayStand(part.kind) ? referenceOf(part.value) : undefined;
      return ref === undefined ? refsBelow(part) : ownRef(part, ref);
    },
    isRedirected: (holder) => redirected.has(holder),
  };
};
