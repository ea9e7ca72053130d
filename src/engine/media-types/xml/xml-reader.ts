/**
 * XML elements to values, compiled from the shape: which child and which attribute is which property. Without a schema, text stays
 * text, elements with children become objects, repeated ones arrays.
 */

import { answerOnce } from '../../../base/fuel';
import { groupBy } from '../../../base/group-by';
import { memoize } from '../../../base/memoize';
import { isPlainObject, type PlainObject, setOwn } from '../../../base/plain-object';
import {
  compileItems,
  compilePerShape,
  compileUndeclared,
  readAlternatives,
} from '../../../schema/compile-per-shape';
import { keepText, xmlScalarReader } from '../../../schema/scalars';
import { itemShape, type Shape } from '../../../schema/shape';
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
  decodeKey,
  type ItemNames,
  inheritedFrom,
  isMixed,
  isNamed,
  itemNames,
  nodesIn,
  nodesOf,
  type PlacedProperty,
  placedProperties,
  shapeKind,
  type XmlName,
  type XmlReading,
} from './xml-names';

/** Compiles the reader of elements that hold a value of the shape. */
export const xmlReader = (root: Shape, reading: XmlReading): ReadElement =>
  compilePerShape<[XmlElement, string], unknown>((shape, compile) => {
    const read = readAlternatives(shape, compile, plainReader(shape, compile, reading));
    const question = {};
    return (element, inherited) =>
      isNil(element)
        ? readNil(element)
        : answerOnce(question, element, (given) => read(given, inherited));
  })(root);

/** Reads null, whether or not the schema allows it: validation refuses it if not. */
function readNil(element: XmlElement): null {
  if (element.children.length > 0 || hasText(element)) {
    throw new MisplacedElement(element, 'an element with xsi:nil must be empty');
  }
  return null;
}

type Compile = (shape: Shape) => ReadElement;

function plainReader(shape: Shape, compile: Compile, reading: XmlReading): ReadElement {
  switch (shape.type) {
    case 'any':
      return readFreeForm;
    case 'object':
      return objectReader(shape, compile, reading);
    case 'array': {
      const read = itemElementsReader(shape, compile);
      return (element, inherited) =>
        read(element, itemNames(shape, element.local, reading.prefixes), inherited);
    }
    default: {
      const read = xmlScalarReader(shape);
      return (element, inherited) =>
        element.children.length > 0 ? readFreeForm(element, inherited) : read(element.text);
    }
  }
}

/** Compiles the reader of the items in a container. */
export function itemElementsReader(
  shape: Shape,
  compile: Compile,
): (container: XmlElement, nameAt: ItemNames, inherited: string) => unknown {
  const readItem = itemReader(shape, compile);
  const hasTexts = isMixed(shape);
  return (container, nameAt, inherited) => {
    if (!hasTexts && hasText(container)) return readFreeForm(container, inherited);
    const nodes = hasTexts ? nodesIn(container, shape) : container.children;
    return nodes.map((item, index) => readItem(item, index, nameAt(index), inherited));
  };
}

/** Compiles the reader of one item, which throws at an item of another name. */
function itemReader(shape: Shape, compile: Compile, isFixed = true) {
  const readerAt = compileItems(shape, compile, readFreeForm);
  return (item: XmlElement, index: number, name: XmlName, inherited: string): unknown => {
    if (!isFixed || isNamed(item, name, inherited)) {
      return readerAt(index)(item, inheritedFrom(name, inherited));
    }
    const expected = name.local === '' ? 'a text' : quoteName(name.local);
    throw new MisplacedElement(item, `${expected} expected`);
  };
}

/** Reads all elements that belong to one property; there is at least one. */
type ReadElements = (elements: readonly XmlElement[], inherited: string) => unknown;

interface PropertyReader extends PlacedProperty {
  readonly read: ReadElements;
}

/** Compiles the reader of one property. Branches of a union may have different names. */
function propertyReader(property: PlacedProperty, compile: Compile): PropertyReader {
  const { shape, placeOf } = property;
  const placed = (inner: Shape): ReadElements => {
    const { kind, name, itemNames: nameAt } = placeOf(inner);
    if (kind === 'siblings') return siblingsReader(inner, nameAt, compile);
    const isFree = inner.type === 'any' && inner.alternatives.length === 0;
    const read = isFree ? readFreeForms : onlyReader(inner, compile);
    return (elements, inherited) => read(elements, inheritedFrom(name, inherited));
  };
  const branch = (inner: Shape): ReadElements => {
    const own = placeOf(inner).names;
    const read = placed(inner);
    return (elements, inherited) =>
      elements.every((element) => own.some((name) => isNamed(element, name, inherited)))
        ? read(elements, inherited)
        : undefined;
  };
  return { ...property, read: readAlternatives(shape, branch, placed(shape)) };
}

/** Makes the reader of an array without a container. One empty item with xsi:nil is null for the array, if items cannot be null. */
function siblingsReader(shape: Shape, nameAt: ItemNames, compile: Compile): ReadElements {
  const item = itemShape(shape, 0);
  if (!item) return readFreeForms;
  const readItem = itemReader(shape, compile, shape.prefixItems.length > 0);
  const isNullable = shape.nullable && !item.nullable;
  return (elements, inherited) => {
    const [first] = elements;
    if (isNullable && elements.length === 1 && first && isNil(first)) return readNil(first);
    return elements.map((element, index) => readItem(element, index, nameAt(index), inherited));
  };
}

function onlyReader(shape: Shape, compile: Compile): ReadElements {
  const read = compile(shape);
  return ([first, second], inherited) => {
    if (second) throw new MisplacedElement(second, `${quoteName(second.name)} is given twice`);
    if (!first) throw new Error('No element to read');
    return read(first, inherited);
  };
}

/** Compiles the reader of an object. The order of elements has no meaning. */
function objectReader(
  shape: Shape,
  compile: Compile,
  { prefixes, skipsIgnored }: XmlReading,
): ReadElement {
  const isIgnored = skipsIgnored && shape.ignoresUndeclared;
  const properties = placedProperties(shape, prefixes);
  const nodes = nodesOf(properties);
  const byLocal = new Map<string, PropertyReader[]>();
  for (const placed of nodes) {
    if (placed.kind === 'attribute') continue;
    const reader = propertyReader(placed, compile);
    for (const local of new Set(reader.names.map((qualified) => qualified.local))) {
      byLocal.set(local, [...(byLocal.get(local) ?? []), reader]);
    }
  }
  const findReader = (child: XmlElement, inherited: string): PropertyReader | undefined => {
    const readers = byLocal.get(child.local);
    return readers?.find(({ names }) => names.some((name) => isNamed(child, name, inherited)));
  };
  const readAttributes = attributesReader(shape, nodes);
  const readUndeclared = undeclaredReader(shape, compile);
  const texts = nodes.find(({ names }) => names.some(({ local }) => local === ''));
  const isMisplaced = texts === undefined ? hasText : () => false;
  const childrenOf = (element: XmlElement, inherited: string) =>
    texts === undefined
      ? element.children
      : nodesIn(element, texts.shape, (child) =>
          texts.names.some((name) => isNamed(child, name, inherited)),
        );
  const makeObject = objectMaker(shape, properties);

  return (element, inherited) => {
    if (isMisplaced(element)) {
      const [child] = element.children;
      if (child) throw new MisplacedElement(child, 'text and elements must not be mixed');
      // Text alone, which validation refuses.
      return element.text;
    }
    const object = makeObject();
    readAttributes(element, object);
    const groups = groupBy(childrenOf(element, inherited), (child) => findReader(child, inherited));
    for (const [reader, children] of groups) {
      if (!reader) continue;
      setOwn(holderIn(object, reader), reader.property, reader.read(children, inherited));
    }
    if (!isIgnored) readUndeclared(object, groups.get(undefined) ?? [], inherited);
    return object;
  };
}

const makerOf = memoize(({ shape, inlined }: PlacedProperty) => objectMaker(shape, inlined));

/** Returns the object that holds a property; one without an element is there when one of its nodes is. */
function holderIn(object: PlainObject, { holders }: PlacedProperty): PlainObject {
  let holder = object;
  for (const placed of holders) {
    const known = Object.hasOwn(holder, placed.property) ? holder[placed.property] : undefined;
    const inner = isPlainObject(known) ? known : makerOf(placed)();
    setOwn(holder, placed.property, inner);
    holder = inner;
  }
  return holder;
}

/** Makes objects with what has no node: null where that may be, an empty text or object (OAS 3.2.0, Handling `null` Values). */
function objectMaker(object: Shape, placed: readonly PlacedProperty[]): () => PlainObject {
  const omitted = placed.flatMap((property): [string, () => unknown][] => {
    const make = makerOfOmitted(property, object.isRequired(property.property));
    return make ? [[property.property, make]] : [];
  });
  if (omitted.length === 0) return () => ({});
  return () => Object.fromEntries(omitted.map(([property, make]) => [property, make()]));
}

function makerOfOmitted(placed: PlacedProperty, isRequired: boolean): (() => unknown) | undefined {
  const { kind, name, shape } = placed;
  const isTextNode = name.local === '';
  if (!isTextNode && kind !== 'attribute' && kind !== 'none') return undefined;
  const mayBeNull = shape.nullable && (shape.type !== 'any' || shape.alternatives.length > 0);
  if (mayBeNull && shape.xml.omittedIsNull && !shape.writeOnly) return () => null;
  if (isRequired && kind === 'none') return makerOf(placed);
  return isRequired && isTextNode && shape.type === 'string' ? () => '' : undefined;
}

/** Makes the reader of attributes. Undeclared ones are additional properties, except under the name of a property that is an element. */
function attributesReader(
  shape: Shape,
  placed: readonly PlacedProperty[],
): (element: XmlElement, object: PlainObject) => void {
  const declared = placed
    .filter(({ kind }) => kind === 'attribute')
    .map((property) => ({ ...property, read: xmlScalarReader(property.shape) }));
  const readerOf = compileUndeclared(shape, xmlScalarReader, keepText);
  return (element, object) => {
    for (const attribute of element.attributes) {
      const found = declared.find(
        ({ name }) =>
          name.local === attribute.local && (name.namespace ?? '') === attribute.namespace,
      );
      if (found) setOwn(holderIn(object, found), found.property, found.read(attribute.value));
      else if (isData(attribute) && !shape.properties.has(attribute.name)) {
        setOwn(object, attribute.name, readerOf(attribute.name)(attribute.value));
      }
    }
  };
}

/** Makes the reader of undeclared elements: additional properties, except under the name of a declared property. */
function undeclaredReader(shape: Shape, compile: Compile) {
  const { properties } = shape;
  const compileValue = (inner: Shape): ReadElements => {
    if (inner.type === 'any' && inner.alternatives.length === 0) return readFreeForms;
    if (shapeKind(inner) !== 'siblings') return onlyReader(inner, compile);
    const readerAt = compileItems(inner, compile, compile(inner));
    return (elements, inherited) =>
      elements.map((element, index) => readerAt(index)(element, inherited));
  };
  const readerOf = compileUndeclared(shape, compileValue, readFreeForms);
  return (object: PlainObject, children: readonly XmlElement[], inherited: string): void => {
    for (const [key, group] of groupBy(children, (child) => keyOf(child, inherited))) {
      const [child] = group;
      if (child === undefined || properties.has(key)) continue;
      if (Object.hasOwn(object, key)) {
        throw new MisplacedElement(child, 'also given as an attribute');
      }
      setOwn(object, key, readerOf(key)(group, inherited));
    }
  };
}

/** Returns the key of an undeclared element; a foreign namespace shows as its prefix. */
const keyOf = (element: XmlElement, inherited: string): string =>
  element.namespace === '' || element.namespace === inherited
    ? decodeKey(element.local)
    : decodeKey(element.name);

/** Reads an element without a schema. */
export function readFreeForm(element: XmlElement, inherited: string): unknown {
  if (isNil(element)) return null;
  if (element.children.length === 0 && !element.attributes.some(isData)) return element.text;
  const attributes = element.attributes.filter(isData);
  const object: PlainObject = {};
  for (const { name, value } of attributes) addOccurrence(object, name, value);
  for (const child of element.children) {
    addOccurrence(object, keyOf(child, inherited), readFreeForm(child, inherited));
  }
  // No element can have this name.
  if (hasText(element)) addOccurrence(object, '#text', element.text);
  return object;
}

/** Reads elements of one name without a schema: several as an array, one as itself. */
function readFreeForms(elements: readonly XmlElement[], inherited: string): unknown {
  const values = elements.map((element) => readFreeForm(element, inherited));
  return values.length === 1 ? values[0] : values;
}

function addOccurrence(object: PlainObject, key: string, value: unknown): void {
  if (!Object.hasOwn(object, key)) {
    setOwn(object, key, value);
    return;
  }
  const known = object[key];
  if (Array.isArray(known)) known.push(value);
  else setOwn(object, key, [known, value]);
}
