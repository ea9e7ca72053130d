/** The root element of an XML body: its name, and the items of a root array. */

import type { Shape } from '../../schema/shape';
import type { ListWriter } from '../codec/codec';
import { readFreeForm, writeFreeForm } from './free-form';
import { MisplacedElement, quoteName } from './parser/malformed-xml';
import { isNil, type ReadElement, type XmlElement } from './parser/xml-element';
import {
  inheritedFrom,
  isNamed,
  type PrefixNamespaces,
  rootItemNameOf,
  rootNameOf,
  type XmlName,
} from './xml-names';
import type { XmlWriting } from './xml-object-writer';
import { readItems, xmlReader } from './xml-reader';
import { elementTags, type WriteElement } from './xml-tags';
import { writeItems, xmlWriter } from './xml-writer';

/** Compiles the reader of a root element; one of another name throws MisplacedElement. */
export function rootReader(
  shape: Shape,
  prefixes: PrefixNamespaces,
): (root: XmlElement) => unknown {
  const name = rootNameOf(shape, prefixes);
  const read = contentReader(shape, prefixes);
  const inherited = inheritedFrom(name, '');
  if (isNameless(shape)) return (root) => read(root, root.namespace);
  return (root) => {
    if (isNamed(root, name, '')) return read(root, inherited);
    throw new MisplacedElement(root, `the root element must be ${describe(name)}`);
  };
}

/** Compiles the writer of a root element. */
export function rootWriter(shape: Shape, writing: XmlWriting): (value: unknown) => string {
  const name = rootNameOf(shape, writing.prefixes);
  const write = contentWriter(shape, writing);
  return (value) => write(value, name, undefined);
}

/** Compiles the writer of a root array, item by item; undefined where the root is no array, or only sometimes. */
export function rootListWriter(shape: Shape, writing: XmlWriting): ListWriter | undefined {
  if (!isPlainArray(shape)) return undefined;
  const itemName = rootItemNameOf(shape, writing.prefixes);
  const writeItem = itemWriter(shape, writing);
  const { start, end, empty, inner } = elementTags(rootNameOf(shape, writing.prefixes), undefined);
  const item = (value: unknown): string => writeItem(value, itemName, inner);
  return { empty, open: start, separator: '', close: end, item };
}

/** Whether the schema says nothing that a name could come from: then any root element will do. */
const isNameless = ({ type, component, xml, alternatives }: Shape): boolean =>
  type === 'any' && component === undefined && xml.name === undefined && alternatives.length === 0;

const describe = ({ local, namespace }: XmlName): string =>
  namespace === undefined ? quoteName(local) : `${quoteName(local)} in namespace ${namespace}`;

/** Items of a root array take their component's name, because there is no property to take one from. */
const isPlainArray = (shape: Shape): boolean =>
  shape.type === 'array' && shape.alternatives.length === 0;

function contentReader(shape: Shape, prefixes: PrefixNamespaces): ReadElement {
  if (!isPlainArray(shape)) return xmlReader(shape, prefixes);
  const itemName = rootItemNameOf(shape, prefixes);
  const readItem = shape.items ? xmlReader(shape.items, prefixes) : readFreeForm;
  const readNull = xmlReader(shape, prefixes);
  return (root, inherited) =>
    isNil(root) ? readNull(root, inherited) : readItems(root, itemName, readItem, inherited);
}

function contentWriter(shape: Shape, writing: XmlWriting): WriteElement {
  const writePlainly = xmlWriter(shape, writing);
  if (!isPlainArray(shape)) return writePlainly;
  const itemName = rootItemNameOf(shape, writing.prefixes);
  const writeItem = itemWriter(shape, writing);
  return (value, name, scope) =>
    Array.isArray(value)
      ? writeItems(value, name, itemName, writeItem, scope)
      : writePlainly(value, name, scope);
}

const itemWriter = ({ items }: Shape, writing: XmlWriting): WriteElement =>
  items ? xmlWriter(items, writing) : writeFreeForm;
