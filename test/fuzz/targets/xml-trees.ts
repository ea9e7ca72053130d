/** Trees of XML as two parsers give them, in one form. */

import { parseString } from 'xml2js';
import type { XmlElement } from '../../../src/engine/media-types/xml/parser/xml-element';

/** An element; attributes sorted by name. */
export interface XmlTree {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: readonly (readonly [name: string, namespace: string, value: string])[];
  readonly text: string;
  readonly children: readonly XmlTree[];
}

/** xml2js leaves out text that is blank, as JavaScript has it. */
export const meant = (text: string): string => (/^\s*$/.test(text) ? '' : text);

/** xml2js does not make spaces of other blanks in values (XML 1.0, section 3.3.3). */
const spaced = (value: string): string => value.replaceAll(/[\t\n]/g, ' ');

/** By name. */
export const normalAttributes = (attributes: XmlTree['attributes']): XmlTree['attributes'] =>
  attributes
    .map(([name, namespace, value]) => [name, spaced(namespace), spaced(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Returns the tree of our parser. */
export const treeOf = ({ name, namespace, attributes, text, children }: XmlElement): XmlTree => ({
  name,
  namespace: spaced(namespace),
  attributes: normalAttributes(attributes.map((one) => [one.name, one.namespace, one.value])),
  text: meant(text),
  children: children.map(treeOf),
});

interface ForeignAttribute {
  readonly prefix: string;
  readonly uri: string;
  readonly value: string;
}

interface ForeignElement {
  readonly '#name': string;
  readonly '#attributesns'?: { readonly uri: string };
  readonly '#attributes'?: Readonly<Record<string, ForeignAttribute>>;
  readonly '#text'?: string;
  readonly '#children'?: readonly ForeignElement[];
}

/** Declarations of namespaces are attributes there. */
const attributesOf = (given: ForeignElement['#attributes'] = {}): XmlTree['attributes'] =>
  normalAttributes(
    Object.entries(given)
      .filter(([name, { prefix }]) => name !== 'xmlns' && prefix !== 'xmlns')
      .map(([name, { uri, value }]) => [name, uri, value]),
  );

const foreignTree = (element: ForeignElement): XmlTree => ({
  name: element['#name'],
  namespace: spaced(element['#attributesns']?.uri ?? ''),
  attributes: attributesOf(element['#attributes']),
  text: meant(element['#text'] ?? ''),
  children: (element['#children'] ?? []).map(foreignTree),
});

/** With keys that no element can have. */
const options = {
  async: false,
  xmlns: true,
  charkey: '#text',
  attrkey: '#attributes',
  childkey: '#children',
  explicitRoot: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
};

/** Returns the tree of xml2js. */
export const readByXml2js = (text: string): XmlTree => {
  let tree: XmlTree | undefined;
  parseString(text, options, (error: Error | null, root: ForeignElement) => {
    if (error) throw error;
    tree = foreignTree(root);
  });
  if (tree === undefined) throw new Error('xml2js gave nothing');
  return tree;
};
