/** Where the parts of other files get their places in the one definition that is made of all of them. */

import { pointerSteps } from '../../lang/json-pointer';
import { isPlainObject, type PlainObject, setOwn } from '../../lang/plain-object';
import { pointerTo } from '../../lang/text-place';
import { referenceOf } from '../references/reference-of';
import type { FieldType, ObjectName } from '../structure/field-type';

/** Sections of the Components Object by what they hold. */
const sections: Partial<Record<ObjectName, string>> = {
  Schema: 'schemas',
  Response: 'responses',
  Parameter: 'parameters',
  Example: 'examples',
  RequestBody: 'requestBodies',
  Header: 'headers',
  SecurityScheme: 'securitySchemes',
  Link: 'links',
  Callback: 'callbacks',
};

/** A part of another file: the file's URI and a pointer into it. */
export interface Target {
  readonly uri: string;
  readonly pointer: string;
}

/** A component of the definition that is part of another file. */
interface ReservedHome {
  readonly holder: PlainObject;
  readonly name: string;
  readonly pointer: string;
}

type Reserved = ReadonlyMap<string, ReservedHome>;

/** Gives targets their places. */
export interface ComponentPlacement {
  /** Puts a value where things of its kind belong; answers the pointer of the place. */
  settle(target: Target, value: unknown, kind: FieldType): string;
  /** Names of components whose place had to be called otherwise; undefined where the target is no component. */
  readonly names: ReadonlyMap<string, string | undefined>;
}

export const targetKey = ({ uri, pointer }: Target): string => `${uri}#${pointer}`;

/** The map under a key, made where there is none. */
const mapAt = (holder: PlainObject, key: string): PlainObject => {
  const known = Object.hasOwn(holder, key) ? holder[key] : undefined;
  if (isPlainObject(known)) return known;
  const made: PlainObject = {};
  setOwn(holder, key, made);
  return made;
};

/** What a target is called where it stands: a component, an entry of a file of definitions, or a file of its own. */
const ownName = ({ uri, pointer }: Target): string | undefined => {
  const steps = pointerSteps(pointer);
  const last = steps.at(-1);
  if (last === undefined) return /([^/]+?)(?:\.[^./]*)?$/.exec(new URL(uri).pathname)?.[1];
  const isNamed = steps.length <= 2 || (steps.length === 3 && steps[0] === 'components');
  return isNamed ? last : undefined;
};

const freeName = (wanted: string, taken: PlainObject): string => {
  let name = wanted;
  for (let count = 2; Object.hasOwn(taken, name); count += 1) name = `${wanted}_${count}`;
  return name;
};

/**
 * @param definition gains the places
 * @param reserved places that the definition itself keeps for targets, by target key
 */
export const placementIn = (definition: PlainObject, reserved: Reserved): ComponentPlacement => {
  const names = new Map<string, string | undefined>();
  const settleIn = (
    holder: PlainObject,
    prefix: string,
    target: Target,
    value: unknown,
  ): string => {
    const own = ownName(target);
    // OAS 3.0.3, Components Object: the characters that names may have.
    const wanted = (own ?? pointerSteps(target.pointer).at(-1) ?? 'part').replaceAll(
      /[^\w.-]/g,
      '_',
    );
    const name = freeName(wanted, holder);
    setOwn(holder, name, value);
    const pointer = pointerTo(prefix, name);
    if (name !== own) names.set(pointer, own);
    return pointer;
  };
  return {
    names,
    settle(target, value, kind) {
      const place = reserved.get(targetKey(target));
      if (place !== undefined) {
        setOwn(place.holder, place.name, value);
        return place.pointer;
      }
      const section = sections[kind.is === 'object' ? kind.name : 'Schema'];
      if (section === undefined) {
        return settleIn(mapAt(definition, 'x-bundled-paths'), '/x-bundled-paths', target, value);
      }
      const holder = mapAt(mapAt(definition, 'components'), section);
      return settleIn(holder, `/components/${section}`, target, value);
    },
  };
};

const entriesOf = (holder: unknown): [string, unknown][] =>
  isPlainObject(holder) ? Object.entries(holder) : [];

/** The components of a definition, each with its place. */
const componentsOf = (definition: PlainObject): readonly (ReservedHome & { entry: unknown })[] =>
  entriesOf(definition['components']).flatMap(([section, holder]) =>
    isPlainObject(holder) && Object.values(sections).includes(section)
      ? Object.entries(holder).map(([name, entry]) => {
          const pointer = pointerTo(`/components/${section}`, name);
          return { holder, name, pointer, entry };
        })
      : [],
  );

/** The entries of the definition's components that are other files' parts, which then stand there themselves. */
export const reservedPlacement = (
  definition: PlainObject,
  targetOf: (ref: string) => Target | undefined,
): Reserved => {
  const reserved = new Map<string, ReservedHome>();
  for (const { entry, ...home } of componentsOf(definition)) {
    const target = targetOf(referenceOf(entry) ?? '');
    if (target === undefined || reserved.has(targetKey(target))) continue;
    reserved.set(targetKey(target), home);
  }
  return reserved;
};
