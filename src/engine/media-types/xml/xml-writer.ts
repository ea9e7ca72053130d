/** Values to XML elements, compiled from the shape; each namespace is declared on the element that first needs it. */

import { writeJson } from '../../../base/json/write-json';
import { memoize } from '../../../base/memoize';
import { isPlainObject, type PlainObject } from '../../../base/plain-object';
import {
  compileItems,
  compilePerShape,
  compileUndeclared,
  writeAlternatives,
} from '../../../schema/compile-per-shape';
import { writeScalar } from '../../../schema/scalars';
import { type Direction, itemShape, type Shape } from '../../../schema/shape';
import { cdataSections, escapeAttribute, escapeText } from '../../../schema/xml-object';
import { XSI_NAMESPACE } from './parser/xml-element';
import {
  encodeKey,
  encodeKeyDistinctly,
  type ItemNames,
  itemNames,
  nodesOf,
  type PlacedProperty,
  type PrefixNamespaces,
  placedProperties,
  plainName,
  shapeKind,
  type XmlName,
} from './xml-names';

/** A namespace declaration in force, and those around it. */
interface Scope {
  readonly prefix: string;
  readonly namespace: string;
  readonly outer: Scope | undefined;
}

/** Writes a value as one element of the given name. */
export type WriteElement = (value: unknown, name: XmlName, scope: Scope | undefined) => string;

/** The attributes of a start tag: text that begins with a space, and declarations. */
interface WrittenAttribute {
  readonly text: string;
  readonly scope: Scope | undefined;
}

/** The tags of an element whose content is written by itself, in the scope `inner`. */
interface ElementTags {
  readonly start: string;
  readonly end: string;
  /** The whole element, where it has no content. */
  readonly empty: string;
  readonly inner: Scope | undefined;
}

const noAttributes = (scope: Scope | undefined): WrittenAttribute => ({ text: '', scope });

/** Makes tags. The content is written in the scope that the name and the attributes make. */
function makeTags(
  { local, prefix, namespace }: XmlName,
  scope: Scope | undefined,
  writeAttributes = noAttributes,
): ElementTags {
  const tag = prefix === undefined ? local : `${prefix}:${local}`;
  const declaration = declareNamespace(prefix ?? '', namespace, scope);
  const attributes = writeAttributes(declaration.scope);
  const start = `<${tag}${declaration.text}${attributes.text}`;
  return { start: `${start}>`, end: `</${tag}>`, empty: `${start}/>`, inner: attributes.scope };
}

/** Makes the tags of a name without a namespace, outside of any: they are the same each time. */
const plainTags = memoize((name: XmlName) => makeTags(name, undefined));

/** Writes the tags of an element without attributes. */
export const elementTags = (name: XmlName, scope: Scope | undefined): ElementTags =>
  scope === undefined && name.namespace === undefined ? plainTags(name) : makeTags(name, scope);

/** Writes an element around its content. */
export const enclose = ({ start, end, empty }: ElementTags, content: string): string =>
  content === '' ? empty : start + content + end;

/** Writes an element that holds text; empty text keeps both tags. */
function writeTextElement(text: string, name: XmlName, scope: Scope | undefined): string {
  const { start, end } = elementTags(name, scope);
  return start + escapeText(text) + end;
}

/** Writes null (XML Schema Part 1, section 2.6.2). */
const writeNil = (name: XmlName, scope: Scope | undefined): string =>
  makeTags(name, scope, (inner) => ({
    text: ` xmlns:xsi="${XSI_NAMESPACE}" xsi:nil="true"`,
    scope: inner,
  })).empty;

/** Writes an attribute. A prefix that means another namespace already is changed, because one tag cannot bind it twice. */
function writeAttribute(
  text: string,
  { local, prefix, namespace }: XmlName,
  scope: Scope | undefined,
): WrittenAttribute {
  const value = `="${escapeAttribute(text)}"`;
  if (namespace === undefined) return { text: ` ${local}${value}`, scope };
  let free = prefix ?? 'ns';
  while (![undefined, namespace].includes(findNamespace(free, scope))) free += '_';
  const declaration = declareNamespace(free, namespace, scope);
  return { ...declaration, text: `${declaration.text} ${free}:${local}${value}` };
}

/** Writes the declaration that a prefix needs to mean a namespace, if any. */
function declareNamespace(
  prefix: string,
  namespace: string | undefined,
  scope: Scope | undefined,
): WrittenAttribute {
  if (namespace === undefined || findNamespace(prefix, scope) === namespace) {
    return noAttributes(scope);
  }
  const attribute = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  return {
    text: ` ${attribute}="${escapeAttribute(namespace)}"`,
    scope: { prefix, namespace, outer: scope },
  };
}

function findNamespace(prefix: string, scope: Scope | undefined): string | undefined {
  if (scope === undefined || scope.prefix === prefix) return scope?.namespace;
  return findNamespace(prefix, scope.outer);
}

/** The settings that the writers of one root share. */
export interface XmlWriting {
  readonly prefixes: PrefixNamespaces;
  readonly direction: Direction;
}

/** Compiles the writer of elements that hold a value of the shape. A value that does not fit is written by its own type. */
export const xmlWriter = (root: Shape, writing: XmlWriting): WriteElement =>
  compilePerShape<[unknown, XmlName, Scope | undefined], string>((shape, compile) => {
    const write = writeAlternatives(shape, compile, plainWriter(shape, compile, writing));
    return (value, name, scope) =>
      value === null || value === undefined ? writeNil(name, scope) : write(value, name, scope);
  })(root);

type Compile = (shape: Shape) => WriteElement;

function plainWriter(shape: Shape, compile: Compile, writing: XmlWriting): WriteElement {
  switch (shape.type) {
    case 'any':
      return writeFreeForm;
    case 'object':
      return objectWriter(shape, compile, writing);
    case 'array': {
      const writerAt = itemWriters(shape, compile);
      // An array nearly always stands under the same name.
      let last: { readonly container: XmlName; readonly nameAt: ItemNames } | undefined;
      return (value, container, scope) => {
        if (last?.container !== container) {
          last = { container, nameAt: itemNames(shape, container.local, writing.prefixes) };
        }
        return writeItems(value, container, last.nameAt, writerAt, scope);
      };
    }
    default:
      return (value, name, scope) =>
        Array.isArray(value) || isPlainObject(value)
          ? writeFreeForm(value, name, scope)
          : writeTextElement(writeScalar(value), name, scope);
  }
}

const textOf = (value: unknown): string =>
  isPlainObject(value) || Array.isArray(value) ? writeJson(value) : writeScalar(value ?? '');

/** The writers of what is no element; null has no text. */
const textWriters: Readonly<Record<string, (value: unknown) => string>> = {
  text: (value) => escapeText(textOf(value)),
  cdata: (value) => (value === null ? '' : cdataSections(textOf(value))),
};

/** Compiles the writers of a list's items, by their index. */
export const itemWriters = (shape: Shape, compile: Compile): ((index: number) => WriteElement) =>
  compileItems(shape, (item) => textWriters[shapeKind(item)] ?? compile(item), writeFreeForm);

/** Writes an array as a container with its items. */
export function writeItems(
  value: unknown,
  container: XmlName,
  nameAt: ItemNames,
  writerAt: (index: number) => WriteElement,
  scope: Scope | undefined,
): string {
  if (!Array.isArray(value)) return writeFreeForm(value, container, scope);
  const tags = elementTags(container, scope);
  let content = '';
  value.forEach((item, index) => {
    content += writerAt(index)(item, nameAt(index), tags.inner);
  });
  return enclose(tags, content);
}

type WriteProperty = (value: unknown, scope: Scope | undefined) => string;

function propertyWriter({ shape, placeOf }: PlacedProperty, compile: Compile): WriteProperty {
  const placed = (inner: Shape): WriteProperty => {
    const { kind, name, itemNames: nameAt } = placeOf(inner);
    const write =
      textWriters[kind] ??
      (kind === 'siblings' ? siblingsWriter(inner, compile, nameAt) : singleWriter(inner, compile));
    return (value, scope) => write(value, name, scope);
  };
  return writeAlternatives(shape, placed, placed(shape));
}

/** Makes the writer of an array without a container. null for it is an empty item with xsi:nil, or nothing if items can be null. */
function siblingsWriter(shape: Shape, compile: Compile, names?: ItemNames): WriteElement {
  const first = itemShape(shape, 0);
  if (!first) return writeFreeForms;
  const writerAt = itemWriters(shape, compile);
  const mayBeNull = shape.nullable && !first.nullable;
  return (value, name, scope) => {
    if (value === null) return mayBeNull ? writeNil(name, scope) : '';
    if (!Array.isArray(value)) return writeFreeForms(value, name, scope);
    const nameAt = names ?? (() => name);
    return value.map((item, index) => writerAt(index)(item, nameAt(index), scope)).join('');
  };
}

function singleWriter(shape: Shape, compile: Compile): WriteElement {
  const isFree = shape.type === 'any' && shape.alternatives.length === 0;
  return isFree ? writeFreeForms : compile(shape);
}

function objectWriter(shape: Shape, compile: Compile, writing: XmlWriting): WriteElement {
  const properties = placedProperties(shape, writing.prefixes);
  const isDropped = ({ writeOnly }: Shape): boolean =>
    writing.direction === 'response' && writeOnly;
  const nodes = nodesOf(properties);
  const attributes = nodes.filter(
    (node) =>
      node.kind === 'attribute' &&
      ![...node.holders, node].some((holder) => isDropped(holder.shape)),
  );
  const takenNames = new Set(nodes.flatMap(({ names }) => names.map(({ local }) => local)));

  const propertiesWriter = (
    object: Shape,
    placed: readonly PlacedProperty[],
  ): ((object: PlainObject, scope: Scope | undefined) => string) => {
    const writerOf = (property: PlacedProperty): WriteProperty => {
      if (isDropped(property.shape) || property.kind === 'attribute') return writeNothing;
      if (property.kind !== 'none') return propertyWriter(property, compile);
      const write = propertiesWriter(property.shape, property.inlined);
      return (value, scope) => {
        if (isPlainObject(value)) return write(value, scope);
        return value === null ? '' : writeFreeForm(value, property.name, scope);
      };
    };
    const elementWriters = new Map(
      placed.map((property) => [property.property, writerOf(property)]),
    );
    const writerOfUndeclared = undeclaredWriter(
      object,
      (inner) => {
        if (isDropped(inner)) return writeNothing;
        const isSiblings = shapeKind(inner) === 'siblings';
        return isSiblings ? siblingsWriter(inner, compile) : singleWriter(inner, compile);
      },
      takenNames,
    );
    return (value, scope) => {
      let text = '';
      for (const key of Object.keys(value)) {
        const inner = value[key];
        if (inner === undefined) continue;
        const write = elementWriters.get(key) ?? writerOfUndeclared(key);
        text += write(inner, scope);
      }
      return text;
    };
  };
  const writeProperties = propertiesWriter(shape, properties);

  return (value, name, scope) => {
    if (!isPlainObject(value)) return writeFreeForm(value, name, scope);
    const tags =
      attributes.length === 0
        ? elementTags(name, scope)
        : makeTags(name, scope, (inner) => writeAttributes(value, attributes, inner));
    return enclose(tags, writeProperties(value, tags.inner));
  };
}

const writeNothing = (): string => '';

/** Writes the attributes that have a value; null has no text and is left out. */
function writeAttributes(
  object: PlainObject,
  attributes: readonly PlacedProperty[],
  scope: Scope | undefined,
): WrittenAttribute {
  let written: WrittenAttribute = { text: '', scope };
  for (const { property, name, holders } of attributes) {
    let holder = object;
    for (const { property: outer } of holders) {
      const inner = Object.hasOwn(holder, outer) ? holder[outer] : undefined;
      holder = isPlainObject(inner) ? inner : {};
    }
    const value = Object.hasOwn(holder, property) ? holder[property] : undefined;
    if (value === undefined || value === null) continue;
    const attribute = writeAttribute(textOf(value), name, written.scope);
    written = { text: written.text + attribute.text, scope: attribute.scope };
  }
  return written;
}

/** Makes the writers of undeclared properties: elements named after their keys, never mistakable for a declared one. */
function undeclaredWriter(
  shape: Shape,
  compile: Compile,
  takenNames: ReadonlySet<string>,
): (key: string) => WriteProperty {
  const writerOf = compileUndeclared(shape, compile, writeFreeForms);
  return (key) => {
    const write = writerOf(key);
    const local = encodeKey(key);
    const name = plainName(takenNames.has(local) ? encodeKeyDistinctly(key) : local);
    return (value, scope) => write(value, name, scope);
  };
}

/**
 * Writes a value by its own type as one element; the items of an array go inside it.
 * @param itemName that of the items of an array, which has no other name to repeat
 */
export function writeFreeForm(
  value: unknown,
  name: XmlName,
  scope: Scope | undefined,
  itemName = 'item',
): string {
  if (value === null || value === undefined) return writeNil(name, scope);
  if (!Array.isArray(value) && !isPlainObject(value)) {
    return writeTextElement(writeScalar(value), name, scope);
  }
  const tags = makeTags(name, scope);
  if (Array.isArray(value)) {
    return enclose(tags, writeFreeForms(value, plainName(itemName), tags.inner));
  }
  let content = '';
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined)
      content += writeFreeForms(inner, plainName(encodeKey(key)), tags.inner);
  }
  return enclose(tags, content);
}

/** Writes a value under its key: an array as repeated elements, anything else as one. */
function writeFreeForms(value: unknown, name: XmlName, scope: Scope | undefined): string {
  if (!Array.isArray(value)) return writeFreeForm(value, name, scope);
  return value.map((item) => writeFreeForm(item, name, scope, name.local)).join('');
}
