/** Reads the XML Object of a schema (OAS 3.0.3) and says what is wrong with it. */

import type { OpenAPIV3 } from 'openapi-types';
import type { XmlNames } from './shape';
import { isXmlName } from './xml-characters';

const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const RESERVED_PREFIX = /^xml(ns)?$/i;
const XML_NAMESPACES = /^http:\/\/www\.w3\.org\/(XML\/1998\/namespace|2000\/xmlns\/)$/;

/** The names with their defaults; a name or prefix that is no legal XML name counts as none. */
export function readXmlObject(xml: OpenAPIV3.XMLObject | undefined): XmlNames {
  const errors: string[] = [];
  const given = (text: string | undefined) => (text === '' ? undefined : text);
  const keepIf = (
    text: string | undefined,
    good: (text: string) => boolean,
    expectation: string,
  ) => {
    if (text === undefined || good(text)) return text;
    errors.push(`xml ${expectation}: ${JSON.stringify(text)}`);
    return undefined;
  };
  const namespace = given(xml?.namespace);
  if (namespace !== undefined && !ABSOLUTE_URI.test(namespace)) {
    errors.push(`xml.namespace is no absolute URI: ${JSON.stringify(namespace)}`);
  }
  return {
    name: keepIf(given(xml?.name), isXmlName, 'name is no legal XML name and counts as none'),
    namespace: keepIf(
      namespace,
      (uri) => !XML_NAMESPACES.test(uri),
      'namespace is reserved and counts as none',
    ),
    prefix: keepIf(
      given(xml?.prefix),
      (prefix) => isXmlName(prefix) && !RESERVED_PREFIX.test(prefix),
      'prefix is no legal prefix and counts as none',
    ),
    attribute: xml?.attribute === true,
    wrapped: xml?.wrapped === true,
    errors,
  };
}
