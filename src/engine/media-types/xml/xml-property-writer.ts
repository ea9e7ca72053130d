/** The value of one property to XML elements: one, or siblings for an array without a container. */

import type { Shape } from '../../schema/shape';
import { writeFreeForms } from './free-form';
import { type PrefixNamespaces, placeOf, type XmlName } from './xml-names';
import { type Scope, type WriteElement, writeNil } from './xml-tags';

/** Writes the value of one property as any number of elements. */
export type WriteProperty = (value: unknown, scope: Scope | undefined) => string;

type WriteNamed = (value: unknown, name: XmlName, scope: Scope | undefined) => string;
type Compile = (shape: Shape) => WriteElement;

/** Compiles the writer of one property. Branches of a union may stand under different names. */
export function propertyWriter(
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
  const writePlainly = placed(shape);
  if (shape.alternatives.length === 0) return writePlainly;
  const candidates = shape.alternatives.map(({ shape: inner, accepts }) => ({
    write: placed(inner),
    accepts,
  }));
  return (value, scope) => {
    const chosen = candidates.find(({ accepts }) => accepts(value));
    return (chosen?.write ?? writePlainly)(value, scope);
  };
}

/** Compiles the writer of a map's values, whose names are their keys. */
export const mapValueWriter = (shape: Shape, compile: Compile): WriteNamed =>
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
