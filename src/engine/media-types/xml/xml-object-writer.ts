/** Objects to XML elements: attributes first, then the elements of the properties in the order of the value. */

import { isPlainObject, type PlainObject } from '../../../base/plain-object';
import { writeAlternatives } from '../../schema/compile-per-shape';
import { writeScalar } from '../../schema/scalars';
import type { Direction, Shape } from '../../schema/shape';
import { writeJson } from '../json/json-writer';
import { writeFreeForm, writeFreeForms } from './free-form';
import {
  collidingProperties,
  encodeKey,
  encodeKeyDistinctly,
  type PrefixNamespaces,
  placeOf,
  plainName,
  possibleNames,
  type XmlName,
} from './xml-names';
import {
  elementTags,
  enclose,
  type Scope,
  type WriteElement,
  type WrittenAttribute,
  writeAttribute,
  writeElement,
  writeNil,
} from './xml-tags';

type WriteProperty = (value: unknown, scope: Scope | undefined) => string;

type WriteNamed = (value: unknown, name: XmlName, scope: Scope | undefined) => string;
type Compile = (shape: Shape) => WriteElement;

/** Compiles the writer of one property. Branches of a union may stand under different names. */
function propertyWriter(
  property: string,
  shape: Shape,
  compile: Compile,
  prefixes: PrefixNamespaces,
  collides: boolean,
): WriteProperty {
  const placed = (inner: Shape): WriteProperty => {
    const { kind, name } = placeOf(property, inner, prefixes, collides);
    const write =
      kind === 'siblings' ? siblingsWriter(inner, compile) : singleWriter(inner, compile);
    return (value, scope) => write(value, name, scope);
  };
  return writeAlternatives(shape, placed, placed(shape));
}

/** Compiles the writer of a map's values, whose names are their keys. */
const mapValueWriter = (shape: Shape, compile: Compile): WriteNamed =>
  shape.type === 'array' && !shape.xml.wrapped
    ? siblingsWriter(shape, compile)
    : singleWriter(shape, compile);

/** null for the array is an empty item with xsi:nil, unless that would be read as an item; then nothing. */
function siblingsWriter({ items, nullable }: Shape, compile: Compile): WriteNamed {
  if (!items) return writeFreeForms;
  const writeItem = compile(items);
  const mayBeNull = nullable && !items.nullable;
  return (value, name, scope) => {
    if (value === null) return mayBeNull ? writeNil(name, scope) : '';
    if (!Array.isArray(value)) return writeFreeForms(value, name, scope);
    return value.map((item) => writeItem(item, name, scope)).join('');
  };
}

function singleWriter(shape: Shape, compile: Compile): WriteNamed {
  const isFree = shape.type === 'any' && shape.alternatives.length === 0;
  return isFree ? writeFreeForms : compile(shape);
}

/** What the writers of one root have in common. */
export interface XmlWriting {
  readonly prefixes: PrefixNamespaces;
  readonly direction: Direction;
}

/** Compiles the writer of an object. */
export function objectWriter(shape: Shape, compile: Compile, writing: XmlWriting): WriteElement {
  const colliding = collidingProperties(shape, writing.prefixes);
  const properties = [...shape.properties].map(([property, inner]) => ({
    property,
    inner,
    place: placeOf(property, inner, writing.prefixes, colliding.has(property)),
    isDropped: writing.direction === 'response' && inner.writeOnly,
  }));
  const elementWriters = new Map(
    properties.map(({ property, inner, place, isDropped }) => [
      property,
      isDropped || place.kind === 'attribute'
        ? writeNothing
        : propertyWriter(property, inner, compile, writing.prefixes, colliding.has(property)),
    ]),
  );
  const attributes = properties.flatMap(({ property, place, isDropped }) =>
    place.kind === 'attribute' && !isDropped ? [{ property, name: place.name }] : [],
  );
  const taken = new Set(
    properties.flatMap(({ property, inner }) =>
      possibleNames(property, inner, writing.prefixes, colliding.has(property)).map(
        ({ local }) => local,
      ),
    ),
  );
  const writerOfUndeclared = undeclaredWriter(shape, compile, taken);
  const writeProperties = (object: PlainObject, scope: Scope | undefined): string => {
    let text = '';
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      const write = elementWriters.get(key) ?? writerOfUndeclared(key);
      text += write(value, scope);
    }
    return text;
  };

  return (value, name, scope) => {
    if (!isPlainObject(value)) return writeFreeForm(value, name, scope);
    if (attributes.length === 0) {
      const tags = elementTags(name, scope);
      return enclose(tags, writeProperties(value, tags.inner));
    }
    return writeElement(
      name,
      scope,
      (inner) => writeProperties(value, inner),
      (inner) => writeAttributes(value, attributes, inner),
    );
  };
}

const writeNothing: WriteProperty = () => '';

interface DeclaredAttribute {
  readonly property: string;
  readonly name: XmlName;
}

/** Writes the attributes that have a value; null has no text and is left out. */
function writeAttributes(
  object: PlainObject,
  attributes: readonly DeclaredAttribute[],
  scope: Scope | undefined,
): WrittenAttribute {
  let written: WrittenAttribute = { text: '', scope };
  for (const { property, name } of attributes) {
    const value = Object.hasOwn(object, property) ? object[property] : undefined;
    if (value === undefined || value === null) continue;
    const text =
      isPlainObject(value) || Array.isArray(value) ? writeJson(value) : writeScalar(value);
    const attribute = writeAttribute(text, name, written.scope);
    written = { text: written.text + attribute.text, scope: attribute.scope };
  }
  return written;
}

/** Undeclared properties are elements named after their keys, never mistakable for a declared one. */
function undeclaredWriter(
  { additional }: Shape,
  compile: Compile,
  taken: ReadonlySet<string>,
): (key: string) => WriteProperty {
  const write =
    typeof additional === 'object' ? mapValueWriter(additional, compile) : writeFreeForms;
  return (key) => {
    const local = encodeKey(key);
    const name = plainName(taken.has(local) ? encodeKeyDistinctly(key) : local);
    return (value, scope) => write(value, name, scope);
  };
}
