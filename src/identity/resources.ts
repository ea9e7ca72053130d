/** The resources that access tokens are for (RFC 8707): a service, or what is at a path of it. */

import { IncomingMessage } from 'node:http';
import type { CredentialRequest } from '../http/caller';
import { splitTarget } from '../http/request';
import type { ForResources } from '../storage/identity/tokens';

/** Tells whether a URL is that of a resource or lies below it, by whole segments of its path. */
const isWithin = (url: string, resource: string): boolean =>
  url.startsWith(resource) && (url.length === resource.length || url[resource.length] === '/');

/**
 * Reads the `resource` parameters of a request (RFC 8707 section 2), each once, as URLs without a slash at their end; undefined
 * where one is no URL of the service, or there are too many.
 *
 * @param serviceUrl - without a slash at its end
 */
export const requestedResources = (
  texts: readonly string[],
  serviceUrl: string,
): readonly string[] | undefined => {
  // Each is compared for each request, and stored for each token.
  const most = 10;
  const { href: base } = new URL(`${serviceUrl}/`);
  const urls = texts.map((text) => {
    // A query names no other resource here.
    if (!URL.canParse(text) || /[?#]/.test(text)) return undefined;
    const { href } = new URL(text);
    const rest = href.startsWith(base) ? href.slice(base.length) : undefined;
    if (rest === undefined) return href === base.slice(0, -1) ? serviceUrl : undefined;
    return `${serviceUrl}/${rest}`.replace(/\/$/, '');
  });
  const known = [...new Set(urls.filter((url) => url !== undefined))];
  return urls.includes(undefined) || known.length > most ? undefined : known;
};

/** Gives the grant for those of its resources that are asked for, or for all; undefined where one is not granted. */
export const narrowResources = <Grant extends ForResources>(
  grant: Grant,
  asked: readonly string[],
): Grant | undefined => {
  const { resources: granted } = grant;
  if (asked.length === 0) return grant;
  const isGranted = (url: string) => granted?.some((resource) => isWithin(url, resource)) !== false;
  return asked.every(isGranted) ? { ...grant, resources: asked } : undefined;
};

/** Tells whether a request is for a resource: the whole service, or one that the URL of the request is that of, or lies below. */
export type IsForResource = (resource: string, request: Pick<CredentialRequest, 'host'>) => boolean;

/** Makes the function for a service. The URL is that of the message of HTTP, which may call several operations at another path. */
export const resourceCheck = (serviceUrl: string): IsForResource => {
  const below = `${serviceUrl}/`;
  return (resource, { host }) => {
    if (resource === serviceUrl) return true;
    // The path that the base path of the service has been taken off.
    if (!resource.startsWith(below) || !(host instanceof IncomingMessage)) return false;
    return isWithin(serviceUrl + splitTarget(host.url ?? '').path, resource);
  };
};
