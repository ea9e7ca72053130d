/** `spec-first/fastify`: a document and its handlers become a plugin of Fastify. */

import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { ApiDocument, SecurityHandlers } from '../engine';
import { giveUp, NodeExchange } from '../http/exchange';
import { targetBelow } from '../http/request';
import {
  type AnyHandlers,
  openService,
  type RouterOptions,
  requireKnownOptions,
} from './openapi-router';

/** The options of the plugin: those of `openApiRouter`, with what they go with. */
export interface FastifyOptions extends RouterOptions {
  /** Its path (YAML or JSON), or what `loadApiDocument` or `parseApiDocument` made. */
  readonly document: string | ApiDocument;
  /** By operationId. */
  readonly handlers: AnyHandlers;
  readonly securityHandlers?: SecurityHandlers;
}

/** The part of a server of Fastify 4 and 5 that the plugin uses. */
interface FastifyServer {
  readonly prefix: string;
  readonly supportedMethods?: readonly string[];
  /** Of Fastify 5 alone. */
  addHttpMethod?(method: string, options: { readonly hasBody: boolean }): unknown;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: '*',
    options: object,
    parse: (request: never, payload: never, done: (error: null) => void) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: { readonly raw: IncomingMessage }, reply: FastifyReply) => void,
  ): unknown;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  getHeaders(): Record<string, string | number | string[] | undefined>;
  hijack(): unknown;
}

/**
 * Serves the paths below the option `prefix` of `register`, or without it below that of the document's first server URL. The bodies reach the
 * engine unread; hooks of the server that look at requests run as for every route, and headers that they set are sent; those that look at
 * responses do not run.
 * @throws Error if the document cannot be loaded at all; lesser problems are logged
 * @example await fastify.register(openApiPlugin, { document: 'shop.yaml', handlers });
 */
export const openApiPlugin = async (
  server: FastifyServer,
  given: FastifyOptions,
): Promise<void> => {
  // Those of `register`, which Fastify gives to the plugin, too.
  const ofFastify = ['prefix', 'logLevel', 'logSerializers'];
  requireKnownOptions(given, ['document', 'handlers', 'securityHandlers', ...ofFastify]);
  const { document, handlers, securityHandlers = {}, ...options } = given;
  const service = await openService(document, handlers, securityHandlers, options);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', {}, (_request, _payload, done) => done(null));
  const { prefix, supportedMethods = [] } = server;
  const { clientOf } = options;
  for (const method of service.methods) {
    if (supportedMethods.includes(method) || !METHODS.includes(method)) continue;
    // Without a body for Fastify: the engine reads it.
    server.addHttpMethod?.(method, { hasBody: false });
  }
  // Fastify compares paths decoded.
  server.all(`${prefix ? '' : decodeURI(service.basePath)}/*`, (request, reply) => {
    const { raw } = request;
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    const target = targetBelow(prefix || service.basePath, raw.url ?? '/') ?? '';
    const exchange = new NodeExchange(raw, reply.raw, { clientOf, target, host: request });
    service.serve(exchange).catch(giveUp(reply.raw));
  });
};
