/** The dynamic scope of schemas: where a `$dynamicRef` leads depends on the way to it (JSON Schema 2020-12, section 8.2.3.2). */

import { memoizePairs } from '../../base/memoize';
import { type Schema, UnresolvableReference } from '../../model/schema';
import type { ResolvedReferences } from '../references/references';
import type { Anchor, Resource, Resources } from '../references/resources';

/** The anchors that dynamic references lead to: of each name that of the outermost resource on the way. */
export interface DynamicScope {
  readonly anchors: ReadonlyMap<string, Anchor>;
  /** The schemas that were read in this scope. */
  readonly schemas: Map<object, Schema>;
}

/** The dynamic scopes of one document. */
export interface DynamicScopes {
  readonly outermost: DynamicScope;
  /** Returns the scope within a Schema Object that is reached in a scope. */
  enter(scope: DynamicScope, schema: object): DynamicScope;
}

const newScope = (anchors: DynamicScope['anchors'] = new Map()): DynamicScope => ({
  anchors,
  schemas: new Map(),
});

/** Each has schemas of its own: a few are enough for every use that is meant. */
const MOST_SCOPES = 1000;

/** Makes the scopes of a document. */
export const dynamicScopes = (
  resources: Pick<Resources<unknown>, 'of'>,
  resolved: ResolvedReferences,
): DynamicScopes => {
  // Without dynamic references all scopes are one.
  if (![...resolved.values()].some((keys) => keys.has('$dynamicRef'))) {
    return { outermost: newScope(), enter: (scope) => scope };
  }
  const known = new Map<string, DynamicScope>();

  const enterResource = memoizePairs((scope: DynamicScope, resource: Resource): DynamicScope => {
    const added = [...resource.anchors.values()].filter(
      ({ name, isDynamic }) => isDynamic && !scope.anchors.has(name),
    );
    if (added.length === 0) return scope;
    const all = [...scope.anchors.values(), ...added];
    const key = JSON.stringify(all.map(({ uri }) => uri).sort());
    if (known.size === MOST_SCOPES && !known.has(key)) {
      throw new UnresolvableReference(resource.uri, 'too many dynamic anchors come together');
    }
    const inner = known.get(key) ?? newScope(new Map(all.map((anchor) => [anchor.name, anchor])));
    known.set(key, inner);
    return inner;
  });

  return {
    outermost: newScope(),
    enter(scope, schema) {
      const resource = resources.of(schema);
      return resource === undefined ? scope : enterResource(scope, resource);
    },
  };
};
