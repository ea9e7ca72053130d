/** The path that a document's operations are appended to (OAS 3.0.3, Server Object). */

import type { OpenAPIV3 } from 'openapi-types';

/** Fills a server's URL with the defaults of its variables; a variable without a default is left out. */
export const serverUrl = ({ url = '', variables }: Partial<OpenAPIV3.ServerObject>): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    variables !== undefined && Object.hasOwn(variables, name)
      ? String(variables[name]?.default ?? '')
      : '',
  );

/** Returns the path of a server, without a trailing slash; undefined where its URL is invalid. */
export const serverPath = (server: Partial<OpenAPIV3.ServerObject>): string | undefined => {
  // A relative server URL is relative to where the document is served: the origin's root.
  const origin = 'http://localhost/';
  const url = serverUrl(server);
  return URL.canParse(url, origin) ? new URL(url, origin).pathname.replace(/\/+$/, '') : undefined;
};

/** Returns the path of the document's first server; empty for the root. */
export const basePathOf = ({ servers }: OpenAPIV3.Document): string =>
  servers?.[0] === undefined ? '' : (serverPath(servers[0]) ?? '');
