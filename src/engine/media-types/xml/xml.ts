/** XML as the engine reads and writes it: names and structure by the `xml` keywords of the schema (OAS 3.0.3). */

import { compileCoercion } from '../../schema/coercion';
import type { Shape } from '../../schema/shape';
import { walkShapes } from '../../schema/shape';
import type { Codec } from '../codec/codec';
import { MisplacedElement, malformedXml, normalizeLineEnds } from './parser/malformed-xml';
import { parseXml } from './parser/xml-parser';
import type { PrefixNamespaces } from './xml-names';
import { rootListWriter, rootReader, rootWriter } from './xml-root';

/**
 * A prefix without a namespace means the one that another schema of the same body binds it to, usually the root. Where
 * none does, it means a namespace of our own making, because a prefix that is not bound is not well-formed (Namespaces in
 * XML 1.0, section 5).
 */
function prefixNamespacesOf(root: Shape): PrefixNamespaces {
  const bound = new Map<string, string>();
  const unbound = new Set<string>();
  walkShapes(root, ({ xml: { prefix, namespace } }) => {
    if (prefix === undefined) return;
    if (namespace === undefined) unbound.add(prefix);
    else if (!bound.has(prefix)) bound.set(prefix, namespace);
  });
  return new Map(
    [...unbound].map((prefix) => [prefix, bound.get(prefix) ?? `urn:prefix:${prefix}`]),
  );
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The codec of application/xml, text/xml and every `+xml` type (RFC 7303). */
export const xmlCodec: Codec = {
  name: 'xml',

  reader(shape, direction) {
    const prefixes = prefixNamespacesOf(shape);
    const readRoot = rootReader(shape, prefixes);
    const coerce = compileCoercion(shape, direction);
    return (text) => {
      const root = parseXml(text, prefixes);
      try {
        return coerce(readRoot(root));
      } catch (error) {
        if (!(error instanceof MisplacedElement)) throw error;
        throw malformedXml(normalizeLineEnds(text), error.element.at, error.message);
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
