/** XML as the engine reads and writes it: names and structure by the `xml` keywords of the schema (OAS 3.0.3). */

import { compileCoercion } from '../../schema/coercion';
import type { Codec } from '../codec/codec';
import { MisplacedElement, normalizeLineEnds, xmlFault } from './parser/xml-fault';
import { parseXml } from './parser/xml-parser';
import { prefixNamespacesOf } from './xml-prefixes';
import { rootListWriter, rootReader, rootWriter } from './xml-root';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The codec of application/xml, text/xml and every `+xml` type (RFC 7303). */
export const xmlCodec: Codec = {
  name: 'xml',

  reader(shape, direction) {
    const prefixes = prefixNamespacesOf(shape);
    const readRoot = rootReader(shape, prefixes);
    const convert = compileCoercion(shape, direction);
    return (text) => {
      const root = parseXml(text, prefixes);
      try {
        return convert(readRoot(root));
      } catch (error) {
        if (!(error instanceof MisplacedElement)) throw error;
        throw xmlFault(normalizeLineEnds(text), error.element.at, error.message);
      }
    };
  },

  writer(shape, direction) {
    const writeRoot = rootWriter(shape, { prefixes: prefixNamespacesOf(shape), direction });
    return (value) => DECLARATION + writeRoot(value);
  },

  listWriter(shape, direction) {
    const root = rootListWriter(shape, { prefixes: prefixNamespacesOf(shape), direction });
    return root && { ...root, empty: DECLARATION + root.empty, open: DECLARATION + root.open };
  },
};
