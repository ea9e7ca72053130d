/** XML elements to values, compiled from the shape. */

import { compilePerShape, readAlternatives } from '../../schema/compile-per-shape';
import { xmlScalarReader } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import { readFreeForm } from './free-form';
import {
  hasText,
  isNil,
  MisplacedElement,
  quoteName,
  type ReadElement,
  type XmlElement,
} from './parser/xml-element';
import {
  inheritedFrom,
  isNamed,
  itemNameOf,
  type PrefixNamespaces,
  type XmlName,
} from './xml-names';
import { objectReader } from './xml-object-reader';

/** Compiles the reader of elements that hold a value of the shape. */
export const xmlReader = (root: Shape, prefixes: PrefixNamespaces): ReadElement =>
  compilePerShape<[XmlElement, string], unknown>((shape, compile) => {
    const read = readAlternatives(shape, compile, plainReader(shape, compile, prefixes));
    return (element, inherited) => (isNil(element) ? readNil(element) : read(element, inherited));
  })(root);

type Compile = (shape: Shape) => ReadElement;

/** null, whether or not the schema allows it: where it does not, validation must say so. */
function readNil(element: XmlElement): null {
  if (element.children.length > 0 || hasText(element)) {
    throw new MisplacedElement(element, 'an element with xsi:nil must be empty');
  }
  return null;
}

function plainReader(shape: Shape, compile: Compile, prefixes: PrefixNamespaces): ReadElement {
  switch (shape.type) {
    case 'any':
      return readFreeForm;
    case 'object':
      return objectReader(shape, compile, prefixes);
    case 'array': {
      const readItem = shape.items ? compile(shape.items) : readFreeForm;
      return (element, inherited) =>
        readItems(element, itemNameOf(shape, element.local, prefixes), readItem, inherited);
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
