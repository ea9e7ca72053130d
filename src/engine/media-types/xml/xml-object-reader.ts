/** XML elements to objects: which child, which attribute is which property. */

import { type PlainObject, setOwn } from '../../lang/plain-object';
import { keepText, xmlScalarReader } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import { keyOf, readFreeForms } from './free-form';
import {
  hasText,
  isData,
  MisplacedElement,
  type ReadElement,
  type XmlElement,
} from './parser/xml-element';
import { collidingProperties, isNamed, type PrefixNamespaces, placeOf } from './xml-names';
import { mapValueReader, type PropertyReader, propertyReader } from './xml-property-reader';

type Compile = (shape: Shape) => ReadElement;
type Groups<Key> = Map<Key, XmlElement[]>;

/** Compiles the reader of an object. The order of elements has no meaning. */
export function objectReader(
  shape: Shape,
  compile: Compile,
  prefixes: PrefixNamespaces,
): ReadElement {
  const colliding = collidingProperties(shape, prefixes);
  const byLocal = new Map<string, PropertyReader[]>();
  for (const [name, property] of shape.properties) {
    if (placeOf(name, property, prefixes, false).kind === 'attribute') continue;
    const reader = propertyReader(name, property, compile, prefixes, colliding.has(name));
    for (const local of new Set(reader.names.map((given) => given.local))) {
      byLocal.set(local, [...(byLocal.get(local) ?? []), reader]);
    }
  }
  const findReader = (child: XmlElement, inherited: string): PropertyReader | undefined =>
    byLocal
      .get(child.local)
      ?.find(({ names }) => names.some((name) => isNamed(child, name, inherited)));
  const readAttributes = attributesReader(shape, prefixes, colliding);
  const readUndeclared = undeclaredReader(shape, compile);

  return (element, inherited) => {
    if (hasText(element)) return readText(element);
    const object: PlainObject = {};
    readAttributes(element, object);
    const declared: Groups<PropertyReader> = new Map();
    const undeclared: Groups<string> = new Map();
    for (const child of element.children) {
      const reader = findReader(child, inherited);
      if (reader) addTo(declared, reader, child);
      else addTo(undeclared, keyOf(child, inherited), child);
    }
    for (const [{ property, read }, children] of declared) {
      setOwn(object, property, read(children, inherited));
    }
    for (const [key, children] of undeclared) readUndeclared(object, key, children, inherited);
    return object;
  };
}

/** Text alone is no object, which validation will say; text between elements has no place in one. */
function readText(element: XmlElement): string {
  const [child] = element.children;
  if (child) throw new MisplacedElement(child, 'text and elements must not be mixed');
  return element.text;
}

function addTo<Key>(groups: Groups<Key>, key: Key, element: XmlElement): void {
  const group = groups.get(key);
  if (group) group.push(element);
  else groups.set(key, [element]);
}

/** Undeclared attributes are additional properties; none stands for a property that is an element. */
function attributesReader(
  shape: Shape,
  prefixes: PrefixNamespaces,
  colliding: ReadonlySet<string>,
): (element: XmlElement, object: PlainObject) => void {
  const declared = [...shape.properties].flatMap(([property, inner]) => {
    const { kind, name } = placeOf(property, inner, prefixes, colliding.has(property));
    return kind === 'attribute' ? [{ property, name, read: xmlScalarReader(inner) }] : [];
  });
  const { properties, additional } = shape;
  const readUndeclared = typeof additional === 'object' ? xmlScalarReader(additional) : keepText;
  return (element, object) => {
    for (const attribute of element.attributes) {
      const found = declared.find(
        ({ name }) =>
          name.local === attribute.local && (name.namespace ?? '') === attribute.namespace,
      );
      if (found) setOwn(object, found.property, found.read(attribute.value));
      else if (isData(attribute) && !properties.has(attribute.name)) {
        setOwn(object, attribute.name, readUndeclared(attribute.value));
      }
    }
  };
}

type ReadUndeclared = (
  object: PlainObject,
  key: string,
  children: readonly XmlElement[],
  inherited: string,
) => void;

/** Undeclared elements are additional properties, except under the name of a property that stands elsewhere. */
function undeclaredReader({ properties, additional }: Shape, compile: Compile): ReadUndeclared {
  const read =
    typeof additional === 'object'
      ? mapValueReader(additional, compile(additional), compile(additional.items ?? additional))
      : readFreeForms;
  return (object, key, children, inherited) => {
    const [child] = children;
    if (child === undefined || properties.has(key)) return;
    if (Object.hasOwn(object, key)) {
      throw new MisplacedElement(child, 'also given as an attribute');
    }
    setOwn(object, key, read(children, inherited));
  };
}
