/** The security schemes of a document. */

import type { OpenAPIV3 } from 'openapi-types';
import type { References } from '../document/references/references';

/** What their names and references are resolved in. */
interface SchemeSource {
  readonly definition: OpenAPIV3.Document;
  readonly references: References;
}

/** The declared schemes by name, references followed. A scheme whose reference leads nowhere is left out. */
export const securitySchemesOf = ({
  definition,
  references,
}: SchemeSource): ReadonlyMap<string, OpenAPIV3.SecuritySchemeObject> =>
  new Map(
    Object.entries(definition.components?.securitySchemes ?? {}).flatMap(([name, target]) => {
      const scheme = references.find<OpenAPIV3.SecuritySchemeObject>(target);
      return scheme === undefined ? [] : [[name, scheme] as const];
    }),
  );
