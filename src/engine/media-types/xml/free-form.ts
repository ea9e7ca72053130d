/**
 * XML without a schema: text stays text, elements with children become objects, repeated ones arrays. xml2js is not asked,
 * although it could: it turns `<constructor>` into a list that begins with a function, keeps the line ends and attribute
 * blanks that XML normalises, knows no xsi:nil, and takes eight times as long as our own parser, which has read the text
 * already. It stands in the tests, as an independent reader.
 */

import { isPlainObject, type PlainObject, setOwn } from '../../../base/plain-object';
import { writeScalar } from '../../schema/scalars';
import { hasText, isData, isNil, type XmlElement } from './parser/xml-element';
import { decodeKey, encodeKey, plainName, type XmlName } from './xml-names';
import { type Scope, writeElement, writeNil, writeTextElement } from './xml-tags';

/** The key of an element's own text, where it has attributes or children besides. No element can have this name. */
const TEXT_KEY = '#text';
/** The name of the items of an array that has no name to repeat. */
const ITEM = 'item';

/** The key that an undeclared element goes by; a foreign namespace shows as its prefix. */
export const keyOf = (element: XmlElement, inherited: string): string =>
  element.namespace === '' || element.namespace === inherited
    ? decodeKey(element.local)
    : decodeKey(element.name);

/** Reads an element as whatever it looks like. */
export function readFreeForm(element: XmlElement, inherited: string): unknown {
  if (isNil(element)) return null;
  if (element.children.length === 0 && !element.attributes.some(isData)) return element.text;
  const attributes = element.attributes.filter(isData);
  const object: PlainObject = {};
  for (const { name, value } of attributes) addOccurrence(object, name, value);
  for (const child of element.children) {
    addOccurrence(object, keyOf(child, inherited), readFreeForm(child, inherited));
  }
  if (hasText(element)) addOccurrence(object, TEXT_KEY, element.text);
  return object;
}

/** Several elements of one name are an array, one is itself. */
export function readFreeForms(elements: readonly XmlElement[], inherited: string): unknown {
  const values = elements.map((element) => readFreeForm(element, inherited));
  return values.length === 1 ? values[0] : values;
}

function addOccurrence(object: PlainObject, key: string, value: unknown): void {
  if (!Object.hasOwn(object, key)) {
    setOwn(object, key, value);
    return;
  }
  const earlier = object[key];
  if (Array.isArray(earlier)) earlier.push(value);
  else setOwn(object, key, [earlier, value]);
}

/** Writes a value of whatever type as one element; the items of an array go inside it. */
export function writeFreeForm(
  value: unknown,
  name: XmlName,
  scope: Scope | undefined,
  itemName = ITEM,
): string {
  if (value === null || value === undefined) return writeNil(name, scope);
  if (Array.isArray(value)) {
    return writeElement(name, scope, (inner) => writeFreeForms(value, plainName(itemName), inner));
  }
  if (!isPlainObject(value)) return writeTextElement(writeScalar(value), name, scope);
  return writeElement(name, scope, (inner) => writeMembers(value, inner));
}

/** Writes a value under its key: an array as repeated elements, anything else as one. */
export function writeFreeForms(value: unknown, name: XmlName, scope: Scope | undefined): string {
  if (!Array.isArray(value)) return writeFreeForm(value, name, scope);
  return value.map((item) => writeFreeForm(item, name, scope, name.local)).join('');
}

function writeMembers(object: PlainObject, scope: Scope | undefined): string {
  let text = '';
  for (const [key, value] of Object.entries(object)) {
    if (value !== undefined) text += writeFreeForms(value, plainName(encodeKey(key)), scope);
  }
  return text;
}
