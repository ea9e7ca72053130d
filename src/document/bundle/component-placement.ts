/** The targets of references, and the places that parts of other files get in the bundled definition. */

import { pointerOfFragment, pointerSteps, pointerTo } from '../../base/json-pointer';
import { isPlainObject, type PlainObject, setOwn } from '../../base/plain-object';
import { referenceOf } from '../references/references';
import { absoluteUri, splitReference } from '../references/schema-resources';
import type { SourceFile } from '../source/source-files';
import { type FieldType, type ObjectTypes, object } from '../structure/field-type';
import { type Structure, typesOfVersions } from '../structure/positions';

/** Sections of the Components Object by the kind of their entries; the newest version has those of all. */
const sections: ReadonlyMap<FieldType, string> = new Map(
  Object.entries(typesOfVersions['3.2'].Components.fields).flatMap(([section, { kind }]) =>
    kind.is === 'map' ? [[kind.of, section]] : [],
  ),
);

interface Target {
  readonly uri: string;
  readonly pointer: string;
}

interface ReservedComponent {
  readonly holder: PlainObject;
  readonly name: string;
  readonly pointer: string;
}

const targetKey = ({ uri, pointer }: Target): string => `${uri}#${pointer}`;

const mapAt = (holder: PlainObject, key: string): PlainObject => {
  const known = Object.hasOwn(holder, key) ? holder[key] : undefined;
  if (isPlainObject(known)) return known;
  const placed: PlainObject = {};
  setOwn(holder, key, placed);
  return placed;
};

/** Returns the name of a target in its file: of a component, of an entry of a file of definitions, or of the file itself. */
const ownName = ({ uri, pointer }: Target): string | undefined => {
  const steps = pointerSteps(pointer);
  const last = steps.at(-1);
  if (last === undefined) return /([^/]+?)(?:\.[^./]*)?$/.exec(new URL(uri).pathname)?.[1];
  const isNamed = steps.length <= 2 || (steps.length === 3 && steps[0] === 'components');
  return isNamed ? last : undefined;
};

/** Finds the components that refer to parts of other files; those parts take their places. By target key. */
const reservedPlaces = (definition: PlainObject, types: ObjectTypes, root: SourceFile) => {
  const reserved = new Map<string, ReservedComponent>();
  const components = Object.entries(Object(definition['components']))
    .filter(([section]) => [...sections.values()].includes(section))
    .flatMap(([section, entries]) => {
      const holder = isPlainObject(entries) ? entries : {};
      return Object.keys(holder).map((name) => ({ holder, name, at: `/components/${section}` }));
    });
  for (const { holder, name, at } of components) {
    const entry = holder[name];
    const isAlone = Object.keys(Object(entry)).length === 1;
    // What stands beside a reference must not get lost where it has a meaning.
    const mayGo = isAlone || types.Schema.reference === 'instead';
    const ref = mayGo ? (referenceOf(entry) ?? '') : '';
    const uri = absoluteUri(ref, root.uri);
    const pointer = pointerOfFragment(splitReference(ref)[1]);
    if (uri === undefined || uri === root.uri || pointer === undefined) continue;
    const key = targetKey({ uri, pointer });
    if (!reserved.has(key)) reserved.set(key, { holder, name, pointer: pointerTo(at, name) });
  }
  return reserved;
};

/** The places of the parts of other files in a definition, which gains them. */
export class ComponentPlacement {
  /** Names of components whose place had to be called otherwise; undefined where the target is no component. */
  readonly names = new Map<string, string | undefined>();
  readonly #definition: PlainObject;
  readonly #types: ObjectTypes;
  readonly #reserved: ReadonlyMap<string, ReservedComponent>;
  readonly #placed = new Map<string, string>();

  constructor(definition: PlainObject, { types }: Structure, root: SourceFile) {
    this.#definition = definition;
    this.#types = types;
    this.#reserved = reservedPlaces(definition, types, root);
  }

  /** Puts a target's value, once, where things of its kind belong; gives the pointer to it. */
  place(target: Target, value: unknown, kind: FieldType): string {
    const key = targetKey(target);
    const known = this.#placed.get(key);
    if (known !== undefined) return known;
    const { holder, name, pointer } = this.#reserved.get(key) ?? this.#newPlace(target, kind);
    setOwn(holder, name, value);
    this.#placed.set(key, pointer);
    return pointer;
  }

  #newPlace(target: Target, kind: FieldType): ReservedComponent {
    const [holder, prefix] = this.#holderFor(kind);
    const own = ownName(target);
    const given = own || pointerSteps(target.pointer).at(-1) || 'part';
    // OAS 3.0.3, Components Object: the characters that names may have.
    const wanted = given.replaceAll(/[^\w.-]/g, '_');
    let name = wanted;
    for (let count = 2; Object.hasOwn(holder, name); count += 1) name = `${wanted}_${count}`;
    const pointer = pointerTo(prefix, name);
    if (name !== own) this.names.set(pointer, own);
    return { holder, name, pointer };
  }

  /** Returns the section where things of a kind belong, and the pointer to it. */
  #holderFor(kind: FieldType): readonly [holder: PlainObject, pointer: string] {
    const section = sections.get(kind.is === 'object' ? kind : object('Schema'));
    if (section === undefined || !Object.hasOwn(this.#types.Components.fields, section)) {
      return [mapAt(this.#definition, 'x-bundled-paths'), '/x-bundled-paths'];
    }
    return [mapAt(mapAt(this.#definition, 'components'), section), `/components/${section}`];
  }
}
