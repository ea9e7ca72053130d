/** Templates of paths and of server URLs (OAS 3.0.3, Path Templating and Server Object). */

import type { OpenAPIV3 } from 'openapi-types';
import { encodeLiteral, normalPath } from '../../base/text/normal-path';
import type { Server } from '../../model/operation';

/** Lists the names that a template has in braces, in order. */
export const templateNames = (template: string): string[] =>
  [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');

/** Lists the texts before, between and behind the names, in the one spelling in which paths are compared. */
export const templateLiterals = (template: string): string[] =>
  template.split(/\{[^{}]+\}/).map((text) => normalPath(encodeLiteral(text)));

/** Gives one text for all templates that match the same paths: `?`, which no path has, stands for each name. */
export const templateForm = (template: string): string => templateLiterals(template).join('?');

/** Writes a path of a template, its literal text percent-encoded; `textOf` gives the text of each name as it is sent. */
export const filledTemplate = (template: string, textOf: (name: string) => string): string =>
  template.replaceAll(/\{([^{}]+)\}|[^{]+|\{/g, (text, name?: string) =>
    name === undefined ? encodeLiteral(text) : textOf(name),
  );

/**
 * Fills a server's URL with the defaults of its variables.
 * @param fallback stands for a variable without a default
 */
export const serverUrl = (
  { url = '', variables = {} }: Partial<Omit<Server, 'pointer'>>,
  fallback = '',
): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? String(variables[name]?.default ?? fallback) : fallback,
  );

/** Returns the path of a server in its normal spelling, without a trailing slash; undefined where its URL is invalid. */
export const serverPath = (server: Partial<Omit<Server, 'pointer'>>): string | undefined => {
  // A relative server URL is relative to where the document is served: the origin's root.
  const origin = 'http://localhost/';
  const url = serverUrl(server);
  if (!URL.canParse(url, origin)) return undefined;
  return encodeLiteral(normalPath(new URL(url, origin).pathname)).replace(/\/+$/, '');
};

/** Returns the path of the document's first server; empty for the root. */
export const basePathOf = ({ servers }: OpenAPIV3.Document): string =>
  servers?.[0] === undefined ? '' : (serverPath(servers[0]) ?? '');
