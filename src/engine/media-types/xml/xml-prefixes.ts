/** Gives namespaces to the prefixes that a document uses without one. */

import type { Shape } from '../../schema/shape';
import { walkShapes } from '../../schema/walk-shapes';
import type { PrefixNamespaces } from './xml-names';

/**
 * A prefix without a namespace means the one that another schema of the same body binds it to, usually the root. Where
 * none does, it means a namespace of our own making, because a prefix that is not bound is not well-formed (Namespaces in
 * XML 1.0, section 5).
 */
export function prefixNamespacesOf(root: Shape): PrefixNamespaces {
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
