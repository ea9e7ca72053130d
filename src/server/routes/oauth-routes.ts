/** Mounts the authorization server of a service: its endpoints below the service, its metadata and that of what it guards at the root. */

import { promisify } from 'node:util';
import bodyParser from 'body-parser';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { ServiceLog } from '../../http/exchange';
import { asHttpError, otherMethodResponse } from '../../http/http-error';
import { splitTarget } from '../../http/request';
import { type HttpResponse, requestIdOf, send } from '../../http/send';
import {
  type AuthorizationServer,
  endpointPaths,
  metadataPath,
} from '../../identity/oauth/authorization-server';
import type { Endpoint, EndpointRequest } from '../../identity/oauth/endpoint';
import { type ResourceMetadata, resourceMetadataPath } from './resource-metadata';

// A name, a password and what our pages add.
const readBody = promisify(
  bodyParser.text({ type: 'application/x-www-form-urlencoded', limit: '16kb', inflate: false }),
);

const endpointRequest = async (request: Request, response: Response): Promise<EndpointRequest> => {
  const { method, headers, ip: address = '', secure } = request;
  const { query } = splitTarget(request.url);
  if (method === 'POST') await readBody(request, response);
  const body: unknown = method === 'POST' ? request.body : undefined;
  const form = typeof body === 'string' ? body : undefined;
  return { method, headers, address, secure, query, form };
};

/** Makes the handler of documents by their paths. A route of Express would answer OPTIONS where none is. */
const documentsAt =
  (documents: ReadonlyMap<string, string>, headers: object = {}): RequestHandler =>
  (request, response, next) => {
    const { method, path } = request;
    const body = documents.get(path);
    if (body === undefined) return next();
    const isRead = method === 'GET' || method === 'HEAD';
    const type = { 'Content-Type': 'application/json' };
    const found = { status: 200, headers: { ...type, ...headers }, body };
    send(request, response, isRead ? found : otherMethodResponse(method, { Allow: 'GET, HEAD' }));
  };

/** `/oauth/…`; what the endpoints throw is for the service to report, but users see a page. */
export const oauthRoutes = (server: AuthorizationServer, log: ServiceLog): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });

  const failurePage = (request: Request, error: unknown): HttpResponse => {
    const failure = asHttpError(error);
    const { status, headers } = failure;
    const requestId = request.res && requestIdOf(request.res);
    if (status >= 500) log.error({ err: failure.cause ?? failure, requestId }, failure.message);
    return server.failurePage(request, status, headers);
  };

  const serveBy =
    (endpoint: Endpoint, isPage: boolean) =>
    async (request: Request, response: Response): Promise<void> => {
      const answer = endpointRequest(request, response).then(endpoint);
      const showFailure = (error: unknown) => failurePage(request, error);
      send(request, response, await (isPage ? answer.catch(showFailure) : answer));
    };
  for (const [name, path] of Object.entries(endpointPaths)) {
    const endpoint = server[name as keyof typeof endpointPaths];
    const isPage = path === endpointPaths.authorize;
    const Allow = isPage ? 'GET, HEAD, POST' : 'POST';
    if (isPage) router.get(path, serveBy(endpoint, isPage));
    router.post(path, serveBy(endpoint, isPage));
    router.all(path, (request, response) => {
      send(request, response, otherMethodResponse(request.method, { Allow }));
    });
  }
  const body = JSON.stringify(server.metadata);
  return router.use(documentsAt(new Map(server.metadataPaths.map((path) => [path, body]))));
};

/** A service and its authorization server. */
export interface AuthorizedService {
  readonly basePath: string;
  /** Undefined where an issuer elsewhere does its work. */
  readonly authorization: AuthorizationServer | undefined;
  /** Undefined where agents are not served, or no server issues tokens for them. */
  readonly resourceMetadata: ResourceMetadata | undefined;
}

/** `/.well-known/oauth-authorization-server/…` and `/.well-known/oauth-protected-resource/…` of each service. */
export const oauthMetadataRoutes = (services: readonly AuthorizedService[]): RequestHandler => {
  const documents = new Map<string, string>();
  const add = (path: string, metadata: object | undefined): void => {
    if (metadata !== undefined) documents.set(path, JSON.stringify(metadata));
  };
  for (const { basePath, authorization, resourceMetadata } of services) {
    add(metadataPath(basePath), authorization?.metadata);
    add(resourceMetadataPath(basePath), resourceMetadata);
  }
  // They are no secrets: clients that are pages of any origin may read them, as they may read the description of the service.
  return documentsAt(documents, { 'Access-Control-Allow-Origin': '*' });
};
