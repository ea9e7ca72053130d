/** XML elements of one name to the value of one property. */

import { readAlternatives } from '../../schema/compile-per-shape';
import type { Shape } from '../../schema/shape';
import { readFreeForms } from './free-form';
import {
  isNil,
  MisplacedElement,
  quoteName,
  type ReadElement,
  type XmlElement,
} from './parser/xml-element';
import {
  inheritedFrom,
  isNamed,
  type PrefixNamespaces,
  placeOf,
  possibleNames,
  type XmlName,
} from './xml-names';

/** Reads all elements that belong to one property; there is at least one. */
type ReadElements = (elements: readonly XmlElement[], inherited: string) => unknown;

/** A property, the names its elements may have, and its reader. */
export interface PropertyReader {
  readonly property: string;
  readonly names: readonly XmlName[];
  readonly read: ReadElements;
}

type Compile = (shape: Shape) => ReadElement;

/** Compiles the reader of one property. Branches of a union may stand under different names. */
export function propertyReader(
  property: string,
  shape: Shape,
  compile: Compile,
  prefixes: PrefixNamespaces,
  collides: boolean,
): PropertyReader {
  const placed = (inner: Shape): ReadElements => {
    const { kind, name } = placeOf(property, inner, prefixes, collides);
    return kind === 'siblings'
      ? siblingsReader(inner, name, compile)
      : singleReader(inner, name, compile);
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
function siblingsReader(shape: Shape, name: XmlName, compile: Compile): ReadElements {
  const { items } = shape;
  if (!items) return readFreeForms;
  const readItem = compile(items);
  const mayBeNull = shape.nullable && !items.nullable;
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

/** Reads the elements of one key of a map. */
export function mapValueReader(
  shape: Shape,
  readValue: ReadElement,
  readItem: ReadElement,
): ReadElements {
  if (shape.type === 'any' && shape.alternatives.length === 0) return readFreeForms;
  if (shape.type !== 'array' || shape.xml.wrapped) {
    return (elements, inherited) => readValue(onlyOne(elements), inherited);
  }
  return (elements, inherited) => elements.map((element) => readItem(element, inherited));
}

function onlyOne(elements: readonly XmlElement[]): XmlElement {
  const [first, second] = elements;
  if (second) throw new MisplacedElement(second, `${quoteName(second.name)} is given twice`);
  if (!first) throw new Error('No element to read');
  return first;
}
