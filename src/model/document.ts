/** The model of a document: what it declares, whichever version of OpenAPI it is of. */

import { groupBy } from '../base/group-by';
import type { Operation, Response, SecurityRequirement, Server } from './operation';
import type { Schema } from './schema';

/** One flow of OAuth 2.0. */
export interface OAuthFlow {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  /** RFC 8628 section 3.1. */
  readonly deviceAuthorizationUrl?: string;
  readonly refreshUrl?: string;
  /** Descriptions by name. */
  readonly scopes: Readonly<Record<string, string>>;
}

interface SchemeNode {
  readonly pointer: string;
  readonly description?: string;
  /** True where clients should move to another scheme (OAS 3.2.0, Security Scheme Object). */
  readonly deprecated?: boolean;
}

export interface ApiKeyScheme extends SchemeNode {
  readonly type: 'apiKey';
  readonly in: 'query' | 'header' | 'cookie';
  /** The name of the header, query parameter or cookie. */
  readonly name: string;
}

export interface OAuth2Scheme extends SchemeNode {
  readonly type: 'oauth2';
  readonly flows: Readonly<
    Partial<
      Record<
        'implicit' | 'password' | 'clientCredentials' | 'authorizationCode' | 'deviceAuthorization',
        OAuthFlow
      >
    >
  >;
  /** The metadata of the authorization server (RFC 8414). */
  readonly oauth2MetadataUrl?: string;
}

/** A Security Scheme Object; `mutualTLS` is of client certificates (OAS 3.1.2, section 4.8.27). */
export type SecurityScheme =
  | ApiKeyScheme
  | (SchemeNode & {
      readonly type: 'http';
      readonly scheme: string;
      readonly bearerFormat?: string;
    })
  | OAuth2Scheme
  | (SchemeNode & { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string })
  | (SchemeNode & { readonly type: 'mutualTLS' });

/** A Tag Object. */
export interface Tag {
  readonly pointer: string;
  readonly name: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  /** The name of the tag that it is nested under. */
  readonly parent: string | undefined;
  /** The sort of tag, such as `nav`, `badge` or `audience` (OAS 3.2.0, Tag Object). */
  readonly kind: string | undefined;
  /** `x-mcp` as the document spells it, for operations of the tag that have none of their own. */
  readonly mcp: unknown;
}

/** The declarations of a document. A reference that leads nowhere leaves out what it stands for, and a diagnostic reports it. */
export interface Model {
  readonly info: Readonly<Record<'title' | 'version', string>> & {
    readonly description: string | undefined;
  };
  readonly servers: readonly Server[];
  readonly tags: readonly Tag[];
  readonly operations: readonly Operation[];
  /** Requests that the API sends; the path of each is the webhook's name. */
  readonly webhooks: readonly Operation[];
  /** By name under components. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** By name under components. */
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** The requirements of operations that declare none of their own. */
  readonly security: readonly SecurityRequirement[];
  /** `x-fallback-response`: the errors of requests that reach no operation, or that it does not declare. */
  readonly fallbackResponse: Response | undefined;
}

/** Tells whether an address is whole: no URL has braces, which stand for something that was not filled in. */
export const isWholeAddress = (address: string): boolean => !/[{}]/.test(address);

const keysAmong = (schemes: Iterable<SecurityScheme>, location: string): string[] =>
  [...schemes].flatMap((scheme) =>
    scheme.type === 'apiKey' && scheme.in === location ? [scheme.name] : [],
  );

/** Lists the names by which the document wants API keys in a location, as it spells them. */
export const apiKeysIn = (
  location: 'header' | 'query',
  { securitySchemes }: Pick<Model, 'securitySchemes'>,
): string[] => keysAmong(securitySchemes.values(), location);

const requiredSchemes = (
  { security }: Pick<Operation, 'security'>,
  securitySchemes: Model['securitySchemes'],
): SecurityScheme[] =>
  security
    .flatMap((requirement) => Object.keys(requirement))
    .flatMap((name) => securitySchemes.get(name) ?? []);

/** Tells whether the credentials of a scheme are those of users: tokens, and names with passwords. */
const isOfUsers = (scheme: SecurityScheme): boolean =>
  scheme.type === 'oauth2' ||
  scheme.type === 'openIdConnect' ||
  (scheme.type === 'http' && /^(?:basic|bearer)$/i.test(scheme.scheme));

/** Tells whether an operation may be called with the credentials of a user. */
export const asksForUser = (
  operation: Pick<Operation, 'security' | 'loggedInUser'>,
  securitySchemes: Model['securitySchemes'],
): boolean =>
  operation.loggedInUser !== undefined ||
  requiredSchemes(operation, securitySchemes).some(isOfUsers);

/** Lists the names of the API keys in a location that requirements of an operation ask for. */
export const keyNamesOf = (
  operation: Pick<Operation, 'security'>,
  securitySchemes: Model['securitySchemes'],
  location: string,
): readonly string[] => keysAmong(requiredSchemes(operation, securitySchemes), location);

/**
 * Names the requests that the API itself sends. A webhook has its name, where it has one method, else the operationId; a callback the
 * name behind its operation's, `subscribe.onData`, and behind that its own operationId where the callback has several operations.
 */
export const namedWebhooks = ({
  operations,
  webhooks,
}: Pick<Model, 'operations' | 'webhooks'>): ReadonlyMap<string, Operation> => {
  const ofWebhooks = [...groupBy(webhooks, ({ path }) => path)].flatMap(([name, methods]) =>
    methods.map((webhook) => [methods.length === 1 ? name : webhook.operationId, webhook] as const),
  );
  const ofCallbacks = operations.flatMap(({ operationId, callbacks }) =>
    callbacks.flatMap((callback) => {
      const name = `${operationId}.${callback.name}`;
      const { operations: sent } = callback;
      return sent.map(
        (request) =>
          [sent.length === 1 ? name : `${name}.${request.operationId}`, request] as const,
      );
    }),
  );
  const named = new Map<string, Operation>();
  for (const [name, request] of [...ofWebhooks, ...ofCallbacks]) {
    // The first of a name counts, as of operations.
    if (!named.has(name)) named.set(name, request);
  }
  return named;
};
