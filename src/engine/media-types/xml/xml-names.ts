/**
 * The places and names of a schema's values in XML (OAS 3.0.3, XML Object):
 *
 * | value of property p                     | stands in                                                        |
 * |-----------------------------------------|------------------------------------------------------------------|
 * | scalar with `attribute`                 | attribute: own name, else p                                      |
 * | anything but an array                   | element: own name, else p                                        |
 * | array                                   | siblings, no container: the items' name, else p                  |
 * | array with `wrapped`                    | container: own name, else p; items: theirs, else own name, else p |
 * | array inside an array                   | container: as an item; items: their name, else the container's   |
 *
 * | root                                    | element                                                          |
 * |-----------------------------------------|------------------------------------------------------------------|
 * | anything but an array                   | own name, else the component's, else the type's                  |
 * | array                                   | own name, else the component's, else the items' and "s"          |
 * | its items                               | their name, else their component's, else their type's            |
 *
 * "Own name" is `xml.name` where it is a legal name; the items' name is that of `items`, else the first in `prefixItems`. Two properties of one object that would get the same name keep
 * their property names instead.
 */

import type { Shape, XmlNames } from '../../../schema/shape';
import { isXmlName } from '../../../schema/xml-object';
import type { XmlElement } from './parser/xml-element';

/** The name of an element or attribute. */
export interface XmlName {
  readonly local: string;
  readonly prefix: string | undefined;
  /** Undefined: an element's is that of its surroundings, an attribute has none. */
  readonly namespace: string | undefined;
}

interface XmlPlace {
  readonly kind: 'attribute' | 'element' | 'siblings' | 'container';
  readonly name: XmlName;
}

/** Namespaces of prefixes that the schema gives no namespace. */
export type PrefixNamespaces = ReadonlyMap<string, string>;

/** The settings that the readers of one root share. */
export interface XmlReading {
  readonly prefixes: PrefixNamespaces;
  /** True: undeclared elements are skipped where the schema ignores them; they would be dropped afterwards. */
  readonly skipsIgnored: boolean;
}

/** Makes a name without a namespace of its own. */
export const plainName = (local: string): XmlName => ({
  local,
  prefix: undefined,
  namespace: undefined,
});

/** Returns the name that an XML Object gives, else the fallback. */
export function nameOf(
  xml: XmlNames | undefined,
  fallback: string,
  prefixes: PrefixNamespaces,
): XmlName {
  const prefix = xml?.prefix;
  return {
    local: xml?.name ?? fallback,
    prefix,
    namespace: xml?.namespace ?? (prefix === undefined ? undefined : prefixes.get(prefix)),
  };
}

/** Returns the shape that names the items of an array. */
const namingItem = ({ items, prefixItems }: Shape): Shape | undefined =>
  [...(items ? [items] : []), ...prefixItems].find(({ xml }) => xml.name !== undefined) ??
  items ??
  prefixItems[0];

/** Returns the place of a property's value; `collides`: another property has the same name. */
function placeOf(
  property: string,
  shape: Shape,
  prefixes: PrefixNamespaces,
  collides: boolean,
): XmlPlace {
  const kind = kindOf(shape);
  const xml = kind === 'siblings' ? namingItem(shape)?.xml : shape.xml;
  const fallback = encodeKey(property);
  const name = nameOf(xml, fallback, prefixes);
  return { kind, name: collides ? { ...name, local: fallback } : name };
}

function kindOf({ type, xml }: Shape): XmlPlace['kind'] {
  if (type === 'array') return xml.wrapped ? 'container' : 'siblings';
  return xml.attribute && type !== 'object' ? 'attribute' : 'element';
}

/** Returns the properties of an object whose names another property has, too. */
export function collidingProperties(shape: Shape, prefixes: PrefixNamespaces): ReadonlySet<string> {
  const colliding = new Set<string>();
  for (let before = -1; before < colliding.size; ) {
    before = colliding.size;
    const holders = new Map<string, string>();
    for (const [property, inner] of shape.properties) {
      const { kind, name } = placeOf(property, inner, prefixes, colliding.has(property));
      const key = [kind === 'attribute', name.local, name.namespace].join();
      const holder = holders.get(key);
      if (holder !== undefined) colliding.add(holder).add(property);
      holders.set(key, property);
    }
  }
  return colliding;
}

/** A property of an object, and its place in XML. */
export interface PlacedProperty extends XmlPlace {
  readonly property: string;
  readonly shape: Shape;
  /** The names that its elements may have: its own and those of the branches of a union. */
  readonly names: readonly XmlName[];
  /** Returns the place of a value of a branch. */
  placeOf(branch: Shape): XmlPlace;
}

/** Returns the properties of an object with their places. */
export function placedProperties(object: Shape, prefixes: PrefixNamespaces): PlacedProperty[] {
  const colliding = collidingProperties(object, prefixes);
  return [...object.properties].map(([property, shape]) => {
    const place = (branch: Shape) => placeOf(property, branch, prefixes, colliding.has(property));
    const branches = [shape, ...shape.alternatives.map((alternative) => alternative.shape)];
    const names = branches.map((branch) => place(branch).name);
    return { property, shape, names, placeOf: place, ...place(shape) };
  });
}

/** Returns the name of the root element. */
export function rootNameOf(shape: Shape, prefixes: PrefixNamespaces): XmlName {
  const inferred =
    shape.type === 'array' ? `${rootItemNameOf(shape, prefixes).local}s` : typeNameOf(shape);
  return nameOf(shape.xml, shape.component ?? inferred, prefixes);
}

/** Returns the name of the elements in a root array. */
export function rootItemNameOf(shape: Shape, prefixes: PrefixNamespaces): XmlName {
  const item = namingItem(shape);
  const wrapper = shape.xml.wrapped ? shape.xml.name : undefined;
  return nameOf(item?.xml, item?.component ?? wrapper ?? typeNameOf(item), prefixes);
}

const typeNameOf = (shape: Shape | undefined): string =>
  shape === undefined || shape.type === 'any' ? 'object' : shape.type;

/** Returns the name of the items in a container that is not the root. */
export const itemNameOf = (shape: Shape, container: string, prefixes: PrefixNamespaces): XmlName =>
  nameOf(namingItem(shape)?.xml, container, prefixes);

/** Tells whether an element has the name; `inherited` is the namespace of names that have none of their own. */
export const isNamed = (element: XmlElement, name: XmlName, inherited: string): boolean =>
  element.local === name.local &&
  (name.namespace === undefined
    ? element.namespace === '' || element.namespace === inherited
    : element.namespace === name.namespace);

/** Returns the namespace that names inside an element inherit: one without a prefix is that of the inner names, too. */
export const inheritedFrom = ({ prefix, namespace }: XmlName, inherited: string): string =>
  prefix === undefined ? (namespace ?? inherited) : inherited;

/** The empty key; a code of no digits. */
const EMPTY = '_x_';
const CODES = /_x([0-9A-Fa-f]{8}|[0-9A-Fa-f]{4})_/g;
/** An underscore that would begin a code, perhaps together with the code of the character behind it. */
const BEGINS_CODE = /^_(?=x_$)|_(?=x[0-9A-Fa-f]{4})/g;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Encodes one character: its code point in four or eight hexadecimal digits. */
const encodeCharacter = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `_x${code.padStart(code.length > 4 ? 8 : 4, '0')}_`;
};

/** Tells whether a character can be part of a name. Those beyond the basic plane can, but many parsers refuse them. */
const isLegal = (character: string, isFirst: boolean): boolean =>
  character.length === 1 && isXmlName(isFirst ? character : `_${character}`);

/** Encodes a key as the local name of an element. */
export function encodeKey(key: string): string {
  if (key === '') return EMPTY;
  const unambiguous = key.replace(BEGINS_CODE, encodeCharacter);
  if (PLAIN_NAME.test(unambiguous)) return unambiguous;
  let name = '';
  for (const character of unambiguous) {
    name += isLegal(character, name === '') ? character : encodeCharacter(character);
  }
  return name;
}

/** Encodes a key as a name that no declared element has. */
export const encodeKeyDistinctly = (key: string): string => {
  const [first = ''] = key;
  return encodeCharacter(first) + encodeKey(key.slice(first.length));
};

/** Decodes a local name into its key. Codes of U+0000 and of halves of surrogate pairs stay as they are. */
export function decodeKey(name: string): string {
  if (name === EMPTY) return '';
  if (!name.includes('_x')) return name;
  return name.replace(CODES, (written, digits) => {
    const code = Number.parseInt(digits, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : written;
  });
}
