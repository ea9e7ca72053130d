/** Writes values as XML: an encoder of its own, to hold the server's against. */

import { type Node, node, resolved } from './document-facts';

const escapeXml = (value: unknown): string =>
  String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const xmlOf = (document: Node, schema: Node): Node => node(resolved(document, schema)['xml']);

/** The name that a schema gives of itself, if any. */
const ownName = (document: Node, schema: Node): string | undefined => {
  const { name } = xmlOf(document, schema);
  return typeof name === 'string' ? name : undefined;
};

const encodeArray = (
  document: Node,
  schema: Node,
  property: string,
  value: readonly unknown[],
): string => {
  const items = node(resolved(document, schema)['items']);
  const { wrapped } = xmlOf(document, schema);
  const container = ownName(document, schema) ?? property;
  const itemName = ownName(document, items) ?? (wrapped ? container : property);
  const inner = value.map((item) => encodeElement(document, items, itemName, item)).join('');
  return wrapped ? `<${container}>${inner}</${container}>` : inner;
};

const encodeProperty = (document: Node, schema: Node, key: string, value: unknown): string =>
  Array.isArray(value)
    ? encodeArray(document, schema, key, value)
    : encodeElement(document, schema, ownName(document, schema) ?? key, value);

const encodeElement = (document: Node, schema: Node, name: string, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return `<${name}>${escapeXml(value)}</${name}>`;
  if (Array.isArray(value)) {
    const items = node(resolved(document, schema)['items']);
    const itemName = ownName(document, items) ?? name;
    const inner = value.map((item) => encodeElement(document, items, itemName, item)).join('');
    return `<${name}>${inner}</${name}>`;
  }
  const { properties, additionalProperties } = resolved(document, schema);
  const inner = Object.entries(value).map(([key, item]) =>
    encodeProperty(document, node(node(properties)[key] ?? additionalProperties), key, item),
  );
  return `<${name}>${inner.join('')}</${name}>`;
};

/** The root element: the schema's own name, else the component's, else the type (OAS 3.0.3, XML Object). */
const rootName = (document: Node, schema: Node): string => {
  const component = String(schema['$ref'] ?? '').replace(/^.*\//, '');
  return ownName(document, schema) ?? (component || String(schema['type']));
};

/** A document of the value, without a prolog. */
export const encodeXml = (document: Node, schema: Node, value: unknown): string =>
  encodeElement(document, schema, rootName(document, schema), value);
