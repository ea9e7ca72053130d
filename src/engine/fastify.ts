/** `spec-first/fastify`: a document and its handlers become a plugin of Fastify. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDocument } from './document/api-document';
import { type AnyHandlers, openApiRouter, type RouterOptions } from './openapi-router';
import type { SecurityHandlers } from './security/security-handlers';

/** The options of the plugin: those of `openApiRouter`, with what they go with. */
export interface FastifyOptions extends RouterOptions {
  /** Its path (YAML or JSON), or what `loadApiDocument` or `parseApiDocument` made. */
  readonly document: string | ApiDocument;
  /** By operationId. */
  readonly handlers: AnyHandlers;
  /** Find the owners of credentials. */
  readonly securityHandlers?: SecurityHandlers;
}

/** The part of a server of Fastify 4 and 5 that the plugin uses. */
interface FastifyServer {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: '*',
    options: object,
    parse: (request: never, payload: never, done: (error: null) => void) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void): unknown;
}

interface FastifyRequest {
  readonly raw: IncomingMessage;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

/**
 * Serves the paths below that of the document's first server URL. The bodies reach the engine unread; hooks of the server that look at requests
 * run as for every route, those that look at responses do not.
 * @throws Error if the document cannot be loaded at all; lesser problems are logged
 * @example await fastify.register(openApiPlugin, { document: 'shop.yaml', handlers });
 */
export const openApiPlugin = async (
  server: FastifyServer,
  { document, handlers, securityHandlers, ...options }: FastifyOptions,
): Promise<void> => {
  const router = await openApiRouter(document, handlers, securityHandlers, options);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', {}, (_request, _payload, done) => done(null));
  server.all(`${router.basePath}/*`, (request, reply) => {
    reply.hijack();
    router(request.raw, reply.raw);
  });
};
