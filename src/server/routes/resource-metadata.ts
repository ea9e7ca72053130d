/** The metadata that agents of the Model Context Protocol read before they call a service: where its tokens come from (RFC 9728). */

import type { PreparedService } from '../../host/prepared-service';
import { documentScopes } from '../../identity/oauth/authorization-server';
import type { SecurityScheme } from '../../model/document';

/** The path of the endpoint below a service. */
export const mcpPath = '/mcp';

/** Makes the path of the metadata of the endpoint of the service at that path (RFC 9728 section 3.1). */
export const resourceMetadataPath = (basePath: string): string =>
  `/.well-known/oauth-protected-resource${basePath}${mcpPath}`;

/** Makes the URL of the metadata, for the parameter `resource_metadata` of challenges (RFC 9728 section 5.1). */
export const resourceMetadataUrl = (origin: string, basePath: string): string =>
  origin + resourceMetadataPath(basePath);

const takesTokens = (scheme: SecurityScheme): boolean =>
  ['oauth2', 'openIdConnect'].includes(scheme.type) ||
  (scheme.type === 'http' && scheme.scheme.toLowerCase() === 'bearer');

/** Makes the metadata; undefined where no server issues tokens for the service: it would say nothing. */
export const resourceMetadata = (
  { document, securityHandlers: own }: Pick<PreparedService, 'document' | 'securityHandlers'>,
  sources: {
    readonly origin: string;
    /** The issuer that the configuration or the document names; undefined: none. */
    readonly outside: string | undefined;
    readonly hasServer: boolean;
  },
) => {
  const { origin, outside, hasServer } = sources;
  const { basePath, info, securitySchemes } = document;
  if (![...securitySchemes.values()].some(takesTokens)) return undefined;
  const { known, required } = documentScopes(document);
  const service = origin + basePath;
  // The tokens of a scheme that the service does not verify by handlers of its own are ours.
  const leavesTokens = [...securitySchemes].some(
    ([name, scheme]) => takesTokens(scheme) && !Object.hasOwn(own, name),
  );
  // Ours issues no token without scopes.
  const isOurs = hasServer && known.size > 0 && own.bearer === undefined && leavesTokens;
  // Clients take the first.
  const issuers = [...(outside === undefined ? [] : [outside]), ...(isOurs ? [service] : [])];
  if (issuers.length === 0) return undefined;
  return {
    resource: service + mcpPath,
    resource_name: info.title,
    authorization_servers: issuers,
    // An empty list makes some clients begin again and again.
    ...(required.length > 0 && { scopes_supported: [...required].sort() }),
    bearer_methods_supported: ['header'],
    resource_documentation: `${service}/docs/`,
  };
};

/** The metadata of one service. */
export type ResourceMetadata = NonNullable<ReturnType<typeof resourceMetadata>>;
