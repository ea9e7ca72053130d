/** Values to XML elements, compiled from the shape. */

import { isPlainObject } from '../../lang/plain-object';
import { compilePerShape, writeAlternatives } from '../../schema/compile-per-shape';
import { writeScalar } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import { writeFreeForm } from './free-form';
import { itemNameOf, type XmlName } from './xml-names';
import { objectWriter, type XmlWriting } from './xml-object-writer';
import {
  elementTags,
  enclose,
  type Scope,
  type WriteElement,
  writeNil,
  writeTextElement,
} from './xml-tags';

/** Compiles the writer of elements that hold a value of the shape. What does not fit is written as what it is. */
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
