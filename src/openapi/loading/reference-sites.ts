/** Finds where a document refers to something: Reference Objects, references written where none may stand, mappings. */

import { isPlainObject, type PlainObject } from '../../codecs/plain-object';
import { referenceOf } from '../references';
import type { Kind } from '../structure/kind';
import { object } from '../structure/kind';
import { isReferable, objectNameOf, type Place, placesIn, pointerBelow } from '../structure/places';

/** A reference and how to change it. */
export interface ReferenceSite {
  /** What is followed. */
  readonly ref: string;
  /** What the file says, which may lead to another reference. */
  readonly written: string;
  /** What is expected behind the reference. */
  readonly kind: Kind;
  /** Where the reference stands, in the bundled definition. */
  readonly pointer: string;
  /** Makes the reference lead elsewhere. */
  redirect(ref: string): void;
  /** Puts the target in the reference's place; undefined where a Reference Object may stand. */
  readonly replace: ((value: unknown) => void) | undefined;
  /** What stands beside a reference where none may stand; it is kept, and wins over the target's. */
  readonly beside: PlainObject;
}

/** A value and what it is. */
interface Part {
  readonly value: unknown;
  readonly kind: Kind;
  readonly pointer: string;
}

const schema = object('Schema');

const membersBeside = (value: unknown): PlainObject => {
  const { $ref: _, ...rest } = isPlainObject(value) ? value : {};
  return rest;
};

const placeSite = (
  place: Pick<Place, 'holder' | 'key' | 'value' | 'kind'>,
  ref: string,
  pointer: string,
  redirected: WeakSet<object>,
): ReferenceSite => {
  const { holder, key, value, kind } = place;
  const beside = membersBeside(value);
  return {
    ref,
    written: ref,
    kind: kind.is === 'flagOrSchema' ? schema : kind,
    pointer,
    redirect: (target) => {
      Reflect.set(Object(value), '$ref', target);
      redirected.add(Object(value));
    },
    replace: isReferable(kind)
      ? undefined
      : (target) => {
          const merged = isPlainObject(target) ? { ...target, ...beside } : target;
          Reflect.set(holder, key, merged);
        },
    beside,
  };
};

/** A mapping of a discriminator names a component or is a reference (OAS 3.0.3, Discriminator Object). */
const mappingSites = (value: unknown, pointer: string): ReferenceSite[] => {
  const mapping = isPlainObject(value) ? value['mapping'] : undefined;
  if (!isPlainObject(mapping)) return [];
  return Object.entries(mapping).flatMap(([name, ref]) =>
    typeof ref === 'string' && /[#/]|\.(?:ya?ml|json)$/.test(ref)
      ? [
          {
            ref,
            written: ref,
            kind: schema,
            pointer: pointerBelow(`${pointer}/mapping`, name),
            redirect: (target: string) => void Reflect.set(mapping, name, target),
            replace: undefined,
            beside: {},
          },
        ]
      : [],
  );
};

/** Makes the finder of the sites in a part, or of the part itself; it passes over what it has been through. */
export const siteFinder = (): ((part: Part) => readonly ReferenceSite[]) => {
  const seen = new Map<object, Set<Kind>>();
  /** Reference Objects that no longer say what their file does. */
  const redirected = new WeakSet<object>();

  const isNew = (value: object, kind: Kind): boolean => {
    const kinds = seen.get(value) ?? new Set();
    if (kinds.has(kind)) return false;
    seen.set(value, kinds.add(kind));
    return true;
  };

  const placeSites = (place: Place, pointer: string): readonly ReferenceSite[] => {
    const ref = place.kind.is === 'anything' ? undefined : referenceOf(place.value);
    if (ref === undefined) return sitesIn({ value: place.value, kind: place.kind, pointer });
    return redirected.has(Object(place.value)) ? [] : [placeSite(place, ref, pointer, redirected)];
  };

  function sitesIn({ value, kind, pointer }: Part): readonly ReferenceSite[] {
    if (typeof value !== 'object' || value === null || !isNew(value, kind)) return [];
    const isDiscriminator = objectNameOf(value, kind) === 'Discriminator';
    return [
      ...(isDiscriminator ? mappingSites(value, pointer) : []),
      ...placesIn(value, kind).flatMap((place) =>
        placeSites(place, pointerBelow(pointer, place.key)),
      ),
    ];
  }

  return ({ value, kind, pointer }) => {
    const ref = isReferable(kind) ? referenceOf(value) : undefined;
    if (ref === undefined) return sitesIn({ value, kind, pointer });
    // References that lead to each other in a circle must come to an end.
    if (redirected.has(Object(value)) || !isNew(Object(value), kind)) return [];
    return [placeSite({ holder: {}, key: '', value, kind }, ref, pointer, redirected)];
  };
};
