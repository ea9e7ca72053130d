/** Reads a document's definition into its model. */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerTo } from '../../base/json-pointer';
import { freezeAll, isPlainObject } from '../../base/plain-object';
import { mapSteps, type Steps } from '../../base/run-in-steps';
import type { Model, OAuthFlow, SecurityScheme, Tag } from '../../model/document';
import { readOperations, readResponse, readServers } from './read-operations';
import type { DocumentReader } from './read-parameter';

/** Reads flows; one that is none, or lacks its scopes, is reported by the check. */
const readFlows = ({ flows = {} }: Partial<OpenAPIV3.OAuth2SecurityScheme>) =>
  Object.fromEntries(
    Object.entries<Partial<OAuthFlow>>(flows)
      .filter(([name, flow]) => !name.startsWith('x-') && isPlainObject(flow))
      .map(([name, flow]) => [name, { ...flow, scopes: flow.scopes ?? {} }]),
  );

/**
 * Reads the model of a definition, of which all that does not fit the table of objects was removed.
 * @param fallback the value of `x-fallback-response`, where it can be used
 */
export function* readModel(
  definition: OpenAPIV3.Document,
  reader: DocumentReader,
  fallback: OpenAPIV3.ResponseObject | undefined,
): Steps<Model> {
  const { info, servers, tags = [], paths, security = [] } = definition;
  const items = Object.entries(paths).filter(([path]) => path.startsWith('/'));
  const operations = yield* mapSteps(items, ([path, item]) =>
    freezeAll(readOperations({ [path]: item }, '/paths', reader, security)),
  );
  const components = Object.entries(definition.components?.schemas ?? {});
  const schemas = yield* mapSteps(
    components,
    ([name, schema]) =>
      [name, reader.readSchema(schema, pointerTo('/components/schemas', name))] as const,
  );
  const webhooks: OpenAPIV3.PathsObject = Reflect.get(definition, 'webhooks') ?? {};
  const schemes = Object.entries(definition.components?.securitySchemes ?? {}).flatMap(
    ([name, entry]) => {
      const scheme = reader.references.find<OpenAPIV3.SecuritySchemeObject>(entry);
      if (scheme === undefined) return [];
      const at = pointerTo('/components/securitySchemes', name);
      const { pointer } = reader.references.at(entry, at);
      const read = scheme.type === 'oauth2' ? { ...scheme, flows: readFlows(scheme) } : scheme;
      return [[name, { ...read, pointer } as SecurityScheme] as const];
    },
  );
  return freezeAll({
    info: { title: info.title, version: info.version, description: info.description },
    servers: readServers(servers, '/servers'),
    tags: tags.map((tag: Partial<Tag> & OpenAPIV3.TagObject, index) => {
      const { name, summary, description, parent, kind } = tag;
      const mcp: unknown = Reflect.get(tag, 'x-mcp');
      return { pointer: `/tags/${index}`, name, summary, description, parent, kind, mcp };
    }),
    operations: operations.flat(),
    webhooks: readOperations(webhooks, '/webhooks', reader, []),
    schemas: new Map(schemas),
    securitySchemes: new Map(schemes),
    security,
    fallbackResponse: fallback && readResponse('default', fallback, '/x-fallback-response', reader),
  });
}
