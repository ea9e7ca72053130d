/** XML elements to values and back, compiled from the shape. */

import { answerOnce } from '../../../base/fuel';
import { isPlainObject } from '../../../base/plain-object';
import {
  compilePerShape,
  readAlternatives,
  writeAlternatives,
} from '../../schema/compile-per-shape';
import { writeScalar, xmlScalarReader } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import { readFreeForm, writeFreeForm } from './free-form';
import {
  hasText,
  isNil,
  MisplacedElement,
  quoteName,
  type ReadElement,
  type XmlElement,
} from './parser/xml-element';
import { inheritedFrom, isNamed, itemNameOf, type XmlName, type XmlReading } from './xml-names';
import { objectReader } from './xml-object-reader';
import { objectWriter, type XmlWriting } from './xml-object-writer';
import {
  elementTags,
  enclose,
  type Scope,
  type WriteElement,
  writeNil,
  writeTextElement,
} from './xml-tags';

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

/** null, whether or not the schema allows it: where it does not, validation must say so. */
function readNil(element: XmlElement): null {
  if (element.children.length > 0 || hasText(element)) {
    throw new MisplacedElement(element, 'an element with xsi:nil must be empty');
  }
  return null;
}

function plainReader(
  shape: Shape,
  compile: (shape: Shape) => ReadElement,
  reading: XmlReading,
): ReadElement {
  switch (shape.type) {
    case 'any':
      return readFreeForm;
    case 'object':
      return objectReader(shape, compile, reading);
    case 'array': {
      const readItem = shape.items ? compile(shape.items) : readFreeForm;
      return (element, inherited) =>
        readItems(element, itemNameOf(shape, element.local, reading.prefixes), readItem, inherited);
    }
    default: {
      const read = xmlScalarReader(shape);
      return (element, inherited) =>
        element.children.length > 0 ? readFreeForm(element, inherited) : read(element.text);
    }
  }
}

/** Reads the items in a container. */
export function readItems(
  container: XmlElement,
  itemName: XmlName,
  readItem: ReadElement,
  inherited: string,
): unknown {
  if (hasText(container)) return readFreeForm(container, inherited);
  const inner = inheritedFrom(itemName, inherited);
  return container.children.map((item) => {
    if (isNamed(item, itemName, inherited)) return readItem(item, inner);
    throw new MisplacedElement(item, `${quoteName(itemName.local)} expected`);
  });
}

/** Compiles the writer of elements that hold a value of the shape. What does not fit is written as what it is. */
export const xmlWriter = (root: Shape, writing: XmlWriting): WriteElement =>
  compilePerShape<[unknown, XmlName, Scope | undefined], string>((shape, compile) => {
    const write = writeAlternatives(shape, compile, plainWriter(shape, compile, writing));
    return (value, name, scope) =>
      value === null || value === undefined ? writeNil(name, scope) : write(value, name, scope);
  })(root);

function plainWriter(
  shape: Shape,
  compile: (shape: Shape) => WriteElement,
  writing: XmlWriting,
): WriteElement {
  switch (shape.type) {
    case 'any':
      return writeFreeForm;
    case 'object':
      return objectWriter(shape, compile, writing);
    case 'array': {
      const writeItem = shape.items ? compile(shape.items) : writeFreeForm;
      // An array nearly always stands under the same name.
      let last: { readonly container: XmlName; readonly item: XmlName } | undefined;
      return (value, container, scope) => {
        if (last?.container !== container) {
          last = { container, item: itemNameOf(shape, container.local, writing.prefixes) };
        }
        return writeItems(value, container, last.item, writeItem, scope);
      };
    }
    default:
      return (value, name, scope) =>
        Array.isArray(value) || isPlainObject(value)
          ? writeFreeForm(value, name, scope)
          : writeTextElement(writeScalar(value), name, scope);
  }
}

/** Writes an array as a container with its items. */
export function writeItems(
  value: unknown,
  container: XmlName,
  itemName: XmlName,
  writeItem: WriteElement,
  scope: Scope | undefined,
): string {
  if (!Array.isArray(value)) return writeFreeForm(value, container, scope);
  const tags = elementTags(container, scope);
  let content = '';
  for (const item of value) content += writeItem(item, itemName, tags.inner);
  return enclose(tags, content);
}
