/** Reads XML Objects into the model: the old words into node types, with the defaults of the version. */

import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';
import { type XmlNodeType, type XmlObject, xmlNodeTypes } from '../../model/schema';

/**
 * Reads the XML Object of a Schema Object.
 * @param component the name of the schema, where it stands under components/schemas itself
 */
export type ReadXml = (fields: PlainObject, component: string | undefined) => XmlObject | undefined;

/** Reads the node type of an XML Object, or the fields that say one in older words. */
const nodeTypeIn = (xml: PlainObject, isList: boolean): XmlNodeType | undefined => {
  const known = xmlNodeTypes.find((type) => type === xml['nodeType']);
  if (known !== undefined) return known;
  if (xml['attribute'] === true && !(isList && xml['wrapped'] === true)) return 'attribute';
  return xml['wrapped'] === true ? 'element' : undefined;
};

/** Reads an XML Object of OpenAPI 3.0. */
export const xmlIn: ReadXml = ({ xml, type }) =>
  isPlainObject(xml)
    ? {
        name: ownText(xml, 'name'),
        namespace: ownText(xml, 'namespace'),
        prefix: ownText(xml, 'prefix'),
        nodeType: nodeTypeIn({ ...xml, nodeType: undefined }, [type].flat().includes('array')),
      }
    : undefined;

/** Reads an XML Object of OpenAPI 3.1, where an attribute that is left out may be null (OAS 3.1.2, Handling `null` Values). */
export const xmlIn31: ReadXml = (fields, component) => {
  const xml = xmlIn(fields, component);
  return xml && { ...xml, omittedIsNull: true };
};

const isNameless = (node: unknown): boolean => ['text', 'cdata', 'none'].includes(String(node));

/** Lists the fields of an XML Object that have no effect, in sentences without an article and an end. */
const xmlFaults = (xml: PlainObject, node: string, types: readonly unknown[]): string[] => {
  const keywords = 'nodeType' in xml ? Object.keys(xml) : [];
  const idle = keywords.filter((field) => field === 'attribute' || field === 'wrapped');
  const isNamed = isNameless(xml['nodeType']) && keywords.includes('name');
  const isOther = types.some((type) => type === 'object' || type === 'array');
  return [
    ...idle.map((field) => `xml.${field} has no effect beside xml.nodeType`),
    ...(isNamed ? [`xml.name has no effect on a node of the type ${node}`] : []),
    ...(isOther && /attribute|text|cdata/.test(node)
      ? [`xml node cannot be ${node} for an object or a list, and is ignored`]
      : []),
  ];
};

/** Reads an XML Object with its defaults, and the names of components (OAS 3.2.0, XML Object). */
export const xmlNodeIn: ReadXml = (fields, component) => {
  const xml = isPlainObject(fields['xml']) ? fields['xml'] : {};
  const types = [fields['type']].flat();
  const isReference = '$ref' in fields || '$dynamicRef' in fields;
  const given = xmlIn({ ...fields, xml }, component);
  const isList = types.includes('array');
  const node = nodeTypeIn(xml, isList) ?? (isReference || isList ? 'none' : 'element');
  // The target of a reference makes the nodes.
  const isNone = isReference ? node === 'none' : (component ?? fields['xml']) === undefined;
  if (isNone) return undefined;
  const name = isNameless(xml['nodeType']) ? undefined : given?.name || component;
  return {
    ...given,
    name,
    nodeType: node,
    omittedIsNull: true,
    faults: xmlFaults(xml, node, types),
  };
};
