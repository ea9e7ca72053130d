/** What is wrong with the XML names of a schema and of everything inside it; for the warnings at load. */

import type { Shape } from './shape';
import { walkShapes } from './walk-shapes';
import { collidingProperties } from './xml-names';
import { prefixNamespacesOf } from './xml-prefixes';

/** One sentence a problem: illegal names, relative namespaces, colliding names, attributes that cannot be ones. */
export function xmlNameProblems(shape: Shape): readonly { readonly message: string }[] {
  const prefixes = prefixNamespacesOf(shape);
  const problems: { readonly message: string }[] = [];
  walkShapes(shape, (inner, path) => {
    const report = (problem: string) => problems.push({ message: `${path}: ${problem}` });
    inner.xml.problems.forEach(report);
    if (inner.xml.attribute && (inner.type === 'object' || inner.type === 'array')) {
      report(`xml.attribute has no effect on type ${inner.type}`);
    }
    const { prefix, namespace } = inner.xml;
    if (prefix !== undefined && namespace === undefined && isOurs(prefixes.get(prefix))) {
      report(`xml.prefix ${prefix} is bound to no namespace`);
    }
    const colliding = [...collidingProperties(inner, prefixes)].join(', ');
    if (colliding !== '') {
      report(`the properties ${colliding} would share a name in XML and keep their own instead`);
    }
  });
  return problems;
}

const isOurs = (namespace: string | undefined): boolean =>
  namespace?.startsWith('urn:prefix:') === true;
