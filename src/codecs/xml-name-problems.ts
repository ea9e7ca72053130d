/** What is wrong with the XML names of a schema and of everything inside it; for the warnings at load. */

import type { Shape } from './shape';
import { walkShapes } from './walk-shapes';
import { collidingProperties, type PrefixNamespaces } from './xml-names';
import { prefixNamespacesOf } from './xml-prefixes';

/** One sentence a problem: illegal names, relative namespaces, colliding names, attributes that cannot be ones. */
export function xmlNameProblems(shape: Shape): readonly { readonly message: string }[] {
  const prefixes = prefixNamespacesOf(shape);
  const messages = new Set<string>();
  walkShapes(shape, (inner, path) => {
    for (const problem of problemsOf(inner, prefixes)) messages.add(`${path}: ${problem}`);
  });
  return [...messages].map((message) => ({ message }));
}

function problemsOf(shape: Shape, prefixes: PrefixNamespaces): readonly string[] {
  const { type, xml } = shape;
  const problems = [...xml.problems];
  if (xml.attribute && (type === 'object' || type === 'array')) {
    problems.push(`xml.attribute has no effect on type ${type}`);
  }
  if (xml.namespace === undefined && isOurs(prefixes.get(xml.prefix ?? ''))) {
    problems.push(`xml.prefix ${xml.prefix} is bound to no namespace`);
  }
  // A union as a whole has the properties of all branches, which need not get on with each other.
  if (shape.alternatives.length > 0) return problems;
  const colliding = [...collidingProperties(shape, prefixes)].join(', ');
  if (colliding !== '') {
    problems.push(
      `the properties ${colliding} would share a name in XML and keep their own instead`,
    );
  }
  return problems;
}

const isOurs = (namespace: string | undefined): boolean =>
  namespace?.startsWith('urn:prefix:') === true;
