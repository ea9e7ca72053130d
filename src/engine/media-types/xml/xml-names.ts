/**
 * The places and names of a schema's values in XML (OAS 3.0.3 and 3.2.0, XML Object), by the `nodeType` that the model has:
 *
 * | value of property p                     | stands in                                                        |
 * |-----------------------------------------|------------------------------------------------------------------|
 * | scalar with `attribute`                 | attribute: own name, else p                                      |
 * | scalar with `text` or `cdata`           | the text of the element around it                                |
 * | object with `none`                      | none: its properties stand in the element around it              |
 * | anything else but an array              | element: own name, else p                                        |
 * | array                                   | siblings, no container: the items' name, else p                  |
 * | array with `element`                    | container: own name, else p; items: theirs, else own name, else p |
 * | array inside an array                   | container: as an item; items: their name, else the container's   |
 *
 * | root                                    | element                                                          |
 * |-----------------------------------------|------------------------------------------------------------------|
 * | anything but an array                   | own name, else the component's, else the type's                  |
 * | array                                   | own name, else the component's, else the items' and "s"          |
 * | its items                               | their name, else their component's, else their type's            |
 *
 * "Own name" is `xml.name` where it is a legal name; the items' name is that of `items`, else the first in `prefixItems`. Where
 * `prefixItems` have node types, each item has its own name, or is a text. Two properties of one object that would get the same name,
 * or be the same text, are elements of their property names instead; so is an object with `none` that holds such a one.
 */

import { compileItems } from '../../../schema/compile-per-shape';
import { itemShapes, type Shape, type XmlNames } from '../../../schema/shape';
import { isXmlName } from '../../../schema/xml-object';
import { isFilled, type XmlElement } from './parser/xml-element';

/** The name of an element or attribute. */
export interface XmlName {
  readonly local: string;
  readonly prefix: string | undefined;
  /** Undefined: an element's is that of its surroundings, an attribute has none. */
  readonly namespace: string | undefined;
}

/** The names of a list's items, by their index. */
export type ItemNames = (index: number) => XmlName;

interface XmlPlace {
  readonly kind: 'attribute' | 'element' | 'siblings' | 'container' | 'text' | 'cdata' | 'none';
  /** Of siblings: the name of the first. */
  readonly name: XmlName;
  readonly names: readonly XmlName[];
  readonly itemNames: ItemNames;
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

/** The name of a text, which stands between elements as one without a name. */
const noName = plainName('');

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
  const kind = shapeKind(shape);
  const fallback = encodeKey(property);
  const nameIn = (item: Shape | undefined): XmlName => {
    const name = nameOf(item?.xml, fallback, prefixes);
    return collides ? { ...name, local: fallback } : name;
  };
  const itemNames = itemNamesOf(shape, nameIn);
  if (kind === 'siblings') {
    const names = [...shape.prefixItems.keys(), shape.prefixItems.length].map(itemNames);
    return { kind, name: itemNames(0), names, itemNames };
  }
  const name = isText(shape) && !collides ? noName : nameIn(shape);
  return { kind: isText(shape) && collides ? 'element' : kind, name, names: [name], itemNames };
}

/** Returns what the value of a property makes. */
export function shapeKind({ type, xml: { nodeType } }: Shape): XmlPlace['kind'] {
  if (type === 'array') return nodeType === 'element' ? 'container' : 'siblings';
  return type === 'object' || nodeType === undefined || nodeType === 'none' ? 'element' : nodeType;
}

/** Tells whether values are text of the element around them. */
export const isText = (shape: Shape): boolean => ['text', 'cdata'].includes(shapeKind(shape));

/** Tells whether a list has items that are texts. */
export const isMixed = (shape: Shape): boolean => itemShapes(shape).some(isText);

const itemNamesOf = (shape: Shape, nameIn: (item: Shape | undefined) => XmlName): ItemNames => {
  if (shape.prefixItems.every(({ xml }) => xml.nodeType === undefined) && !isMixed(shape)) {
    const name = nameIn(namingItem(shape));
    return () => name;
  }
  return compileItems(shape, (item) => (isText(item) ? noName : nameIn(item)), nameIn(undefined));
};

/** The most objects without elements that one may lead to: none that is inside itself has fewer. */
const MOST_INLINED = 50;

const hasNoElement = (shape: Shape): boolean =>
  shape.type === 'object' &&
  shape.xml.nodeType === 'none' &&
  shape.alternatives.length === 0 &&
  shape.patterned === undefined &&
  typeof shape.additional === 'boolean' &&
  shape.properties.size > 0;

/** Tells whether an object inside another one makes no element (OAS 3.2.0, XML Node Types). Maps and unions do, since their nodes have no names of their own. */
export function isInlined(shape: Shape): boolean {
  const found = hasNoElement(shape) ? [shape] : [];
  // Whatever is added while they are visited is visited, too.
  for (const visited of found) {
    for (const inner of visited.properties.values()) if (hasNoElement(inner)) found.push(inner);
    if (found.length > MOST_INLINED) return false;
  }
  return found.length > 0;
}

/** Returns the properties of the objects without elements, by the properties that hold these. */
const inlinedIn = ({ properties }: Shape, prefixes: PrefixNamespaces) =>
  new Map(
    [...properties]
      .filter(([, shape]) => isInlined(shape))
      .map(([property, shape]) => [property, placedProperties(shape, prefixes)] as const),
  );

/** Lists properties, and those of objects without elements in the place of these. */
export const nodesOf = (
  placed: readonly PlacedProperty[],
  holders: readonly PlacedProperty[] = [],
): readonly PlacedProperty[] =>
  placed.flatMap((property) =>
    property.kind === 'none'
      ? nodesOf(property.inlined, [...holders, property])
      : [{ ...property, holders }],
  );

/** Returns the properties of an object whose names another property has, too. */
export function collidingProperties(
  shape: Shape,
  prefixes: PrefixNamespaces,
  inlined = inlinedIn(shape, prefixes),
): ReadonlySet<string> {
  const colliding = new Set<string>();
  for (let before = -1; before < colliding.size; ) {
    before = colliding.size;
    const holders = new Map<string, string>();
    const nodes = [...shape.properties].flatMap(([property, inner]) => {
      const collides = colliding.has(property);
      const within = collides ? undefined : inlined.get(property);
      const places = within ? nodesOf(within) : [placeOf(property, inner, prefixes, collides)];
      return places.flatMap(({ kind, names }) =>
        names.map(({ local, namespace }) => ({
          property,
          key: [kind === 'attribute', local, namespace].join(),
        })),
      );
    });
    for (const { property, key } of nodes) {
      const holder = holders.get(key) ?? property;
      if (holder !== property) colliding.add(holder).add(property);
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
  /** The objects without elements that it is in, outermost first. */
  readonly holders: readonly PlacedProperty[];
  /** The properties of an object without an element, which is of the kind `none`. */
  readonly inlined: readonly PlacedProperty[];
  placeOf(branch: Shape): XmlPlace;
}

/** Returns the properties of an object with their places. */
export function placedProperties(object: Shape, prefixes: PrefixNamespaces): PlacedProperty[] {
  const inlined = inlinedIn(object, prefixes);
  const colliding = collidingProperties(object, prefixes, inlined);
  return [...object.properties].map(([property, shape]) => {
    const place = (branch: Shape) => placeOf(property, branch, prefixes, colliding.has(property));
    const own = { property, shape, placeOf: place, ...place(shape), holders: [], inlined: [] };
    const within = colliding.has(property) ? undefined : inlined.get(property);
    if (within) return { ...own, kind: 'none', inlined: within };
    const branches = [shape, ...shape.alternatives.map((alternative) => alternative.shape)];
    const names = branches.flatMap((branch) => place(branch).names);
    return { ...own, names };
  });
}

/** Returns the name of the root element. */
export function rootNameOf(shape: Shape, prefixes: PrefixNamespaces): XmlName {
  const inferred =
    shape.type === 'array' ? `${rootItemNames(shape, prefixes)(0).local}s` : typeNameOf(shape);
  return nameOf(shape.xml, shape.component ?? inferred, prefixes);
}

/** Returns the names of the elements in a root array. */
export function rootItemNames(shape: Shape, prefixes: PrefixNamespaces): ItemNames {
  const wrapper = shape.xml.nodeType === 'element' ? shape.xml.name : undefined;
  return itemNamesOf(shape, (item) =>
    nameOf(item?.xml, item?.component ?? wrapper ?? typeNameOf(item), prefixes),
  );
}

const typeNameOf = (shape: Shape | undefined): string =>
  shape === undefined || shape.type === 'any' ? 'object' : shape.type;

/** Returns the names of the items in a container that is not the root. */
export const itemNames = (shape: Shape, container: string, prefixes: PrefixNamespaces): ItemNames =>
  itemNamesOf(shape, (item) => nameOf(item?.xml, container, prefixes));

/** Tells whether an element has the name; `inherited` is the namespace of names that have none of their own. */
export const isNamed = (element: XmlElement, name: XmlName, inherited: string): boolean =>
  element.local === name.local &&
  (name.namespace === undefined
    ? element.namespace === '' || element.namespace === inherited
    : element.namespace === name.namespace);

/**
 * Lists the children of an element, and its texts as elements without a name. Blanks beside children are none, unless the list has a
 * text there; before a child that is no item of the list an empty text is none, either.
 */
export function nodesIn(
  element: XmlElement,
  { prefixItems }: Shape,
  isItem: (child: XmlElement) => boolean = () => true,
): XmlElement[] {
  const { children, text } = element;
  const nodes: XmlElement[] = [];
  const noNode = { name: '#text', local: '', namespace: '', attributes: [], children: [] };
  const addText = (part: string): number => nodes.push({ ...element, ...noNode, text: part });
  let others = 0;
  const addBetween = (from: number, to?: number, mayBeEmpty = true): void => {
    const part = text.slice(from, to);
    const item = prefixItems[nodes.length - others];
    const isExpected = item !== undefined && isText(item) && (mayBeEmpty || part !== '');
    if (isExpected || isFilled(part)) addText(part);
  };
  for (const [index, child] of children.entries()) {
    const isNext = isItem(child);
    addBetween(children[index - 1]?.behind ?? 0, child.behind, isNext);
    nodes.push(child);
    if (!isNext) others += 1;
  }
  if (children.length > 0) addBetween(children.at(-1)?.behind ?? 0);
  else if (text !== '' || element.data !== undefined) addText(element.data ?? text);
  return nodes;
}

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

/** Encodes a key as the local name of an element. */
export function encodeKey(key: string): string {
  if (key === '') return EMPTY;
  const unambiguous = key.replace(BEGINS_CODE, encodeCharacter);
  if (PLAIN_NAME.test(unambiguous)) return unambiguous;
  let name = '';
  for (const character of unambiguous) {
    // Those beyond the basic plane can be part of a name, but many parsers refuse them.
    const isLegal = character.length === 1 && isXmlName(name === '' ? character : `_${character}`);
    name += isLegal ? character : encodeCharacter(character);
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
