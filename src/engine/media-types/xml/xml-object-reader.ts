/** XML elements to objects: which child, which attribute is which property. */

import { groupBy } from '../../../base/group-by';
import { type PlainObject, setOwn } from '../../../base/plain-object';
import { readAlternatives } from '../../schema/compile-per-shape';
import { keepText, xmlScalarReader } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import { keyOf, readFreeForms } from './free-form';
import {
  hasText,
  isData,
  isNil,
  MisplacedElement,
  quoteName,
  type ReadElement,
  type XmlElement,
} from './parser/xml-element';
import {
  collidingProperties,
  inheritedFrom,
  isNamed,
  type PrefixNamespaces,
  placeOf,
  possibleNames,
  type XmlName,
  type XmlReading,
} from './xml-names';

/** Reads all elements that belong to one property; there is at least one. */
type ReadElements = (elements: readonly XmlElement[], inherited: string) => unknown;

interface PropertyReader {
  readonly property: string;
  readonly names: readonly XmlName[];
  readonly read: ReadElements;
}

type Compile = (shape: Shape) => ReadElement;

/** Compiles the reader of one property. Branches of a union may stand under different names. */
function propertyReader(
  property: string,
  shape: Shape,
  compile: Compile,
  prefixes: PrefixNamespaces,
  collides: boolean,
): PropertyReader {
  const placed = (inner: Shape): ReadElements => {
    const { kind, name } = placeOf(property, inner, prefixes, collides);
    return (kind === 'siblings' ? siblingsReader : singleReader)(inner, name, compile);
  };
  const branch = (inner: Shape): ReadElements => {
    const { name } = placeOf(property, inner, prefixes, collides);
    const read = placed(inner);
    return (elements, inherited) =>
      elements.every((element) => isNamed(element, name, inherited))
        ? read(elements, inherited)
        : undefined;
  };
  return {
    property,
    names: possibleNames(property, shape, prefixes, collides),
    read: readAlternatives(shape, branch, placed(shape)),
  };
}

/** The items of an array without a container. One empty item with xsi:nil is null for the array, if null is for no item. */
function siblingsReader({ items, nullable }: Shape, name: XmlName, compile: Compile): ReadElements {
  if (!items) return readFreeForms;
  const readItem = compile(items);
  const mayBeNull = nullable && !items.nullable;
  return (elements, inherited) => {
    const inner = inheritedFrom(name, inherited);
    const [first] = elements;
    if (mayBeNull && elements.length === 1 && first && isNil(first)) return readItem(first, inner);
    return elements.map((element) => readItem(element, inner));
  };
}

function singleReader(shape: Shape, name: XmlName, compile: Compile): ReadElements {
  const read = compile(shape);
  const isFree = shape.type === 'any' && shape.alternatives.length === 0;
  return (elements, inherited) => {
    const inner = inheritedFrom(name, inherited);
    return isFree ? readFreeForms(elements, inner) : read(onlyOne(elements), inner);
  };
}

function mapValueReader(shape: Shape, readValue: ReadElement, readItem: ReadElement): ReadElements {
  if (shape.type === 'any' && shape.alternatives.length === 0) return readFreeForms;
  if (shape.type !== 'array' || shape.xml.wrapped) {
    return (elements, inherited) => readValue(onlyOne(elements), inherited);
  }
  return (elements, inherited) => elements.map((element) => readItem(element, inherited));
}

function onlyOne([first, second]: readonly XmlElement[]): XmlElement {
  if (second) throw new MisplacedElement(second, `${quoteName(second.name)} is given twice`);
  if (!first) throw new Error('No element to read');
  return first;
}

/** Compiles the reader of an object. The order of elements has no meaning. */
export function objectReader(
  shape: Shape,
  compile: Compile,
  { prefixes, passesOver }: XmlReading,
): ReadElement {
  const isIgnored = passesOver && shape.ignoresUndeclared;
  const colliding = collidingProperties(shape, prefixes);
  const byLocal = new Map<string, PropertyReader[]>();
  for (const [name, property] of shape.properties) {
    if (placeOf(name, property, prefixes, false).kind === 'attribute') continue;
    const reader = propertyReader(name, property, compile, prefixes, colliding.has(name));
    for (const local of new Set(reader.names.map((given) => given.local))) {
      byLocal.set(local, [...(byLocal.get(local) ?? []), reader]);
    }
  }
  const findReader = (child: XmlElement, inherited: string): PropertyReader | undefined => {
    const readers = byLocal.get(child.local);
    return readers?.find(({ names }) => names.some((name) => isNamed(child, name, inherited)));
  };
  const readAttributes = attributesReader(shape, prefixes, colliding);
  const readUndeclared = undeclaredReader(shape, compile);

  return (element, inherited) => {
    if (hasText(element)) return readText(element);
    const object: PlainObject = {};
    readAttributes(element, object);
    const declared = new Map<PropertyReader, XmlElement[]>();
    const undeclared: XmlElement[] = [];
    for (const child of element.children) {
      const reader = findReader(child, inherited);
      if (reader) addTo(declared, reader, child);
      else undeclared.push(child);
    }
    for (const [{ property, read }, children] of declared) {
      setOwn(object, property, read(children, inherited));
    }
    if (!isIgnored) readUndeclared(object, undeclared, inherited);
    return object;
  };
}

/** Text alone is no object, which validation will say; text between elements has no place in one. */
function readText(element: XmlElement): string {
  const [child] = element.children;
  if (child) throw new MisplacedElement(child, 'text and elements must not be mixed');
  return element.text;
}

function addTo<Key>(groups: Map<Key, XmlElement[]>, key: Key, element: XmlElement): void {
  const group = groups.get(key);
  if (group) group.push(element);
  else groups.set(key, [element]);
}

/** Undeclared attributes are additional properties; none stands for a property that is an element. */
function attributesReader(
  shape: Shape,
  prefixes: PrefixNamespaces,
  colliding: ReadonlySet<string>,
): (element: XmlElement, object: PlainObject) => void {
  const declared = [...shape.properties].flatMap(([property, inner]) => {
    const { kind, name } = placeOf(property, inner, prefixes, colliding.has(property));
    return kind === 'attribute' ? [{ property, name, read: xmlScalarReader(inner) }] : [];
  });
  const { properties, additional } = shape;
  const readUndeclared = typeof additional === 'object' ? xmlScalarReader(additional) : keepText;
  return (element, object) => {
    for (const attribute of element.attributes) {
      const found = declared.find(
        ({ name }) =>
          name.local === attribute.local && (name.namespace ?? '') === attribute.namespace,
      );
      if (found) setOwn(object, found.property, found.read(attribute.value));
      else if (isData(attribute) && !properties.has(attribute.name)) {
        setOwn(object, attribute.name, readUndeclared(attribute.value));
      }
    }
  };
}

/** Undeclared elements are additional properties, except under the name of a property that stands elsewhere. */
function undeclaredReader({ properties, additional }: Shape, compile: Compile) {
  const read =
    typeof additional === 'object'
      ? mapValueReader(additional, compile(additional), compile(additional.items ?? additional))
      : readFreeForms;
  const readGroup = (
    object: PlainObject,
    key: string,
    children: readonly XmlElement[],
    inherited: string,
  ): void => {
    const [child] = children;
    if (child === undefined || properties.has(key)) return;
    if (Object.hasOwn(object, key)) {
      throw new MisplacedElement(child, 'also given as an attribute');
    }
    setOwn(object, key, read(children, inherited));
  };
  return (object: PlainObject, children: readonly XmlElement[], inherited: string): void => {
    for (const [key, group] of groupBy(children, (child) => keyOf(child, inherited))) {
      readGroup(object, key, group, inherited);
    }
  };
}
