/** Streamable HTTP: a message in each POST, and its response in the answer (Model Context Protocol 2026-07-28, Streamable HTTP). */

import { parseJsonStrictly } from '../base/json/json-parser';
import { MalformedText } from '../base/malformed-text';
import { parseMediaType } from '../base/media-type';
import { textOf } from '../base/octets';
import { attempt } from '../base/recover';
import type { ApiDocument } from '../engine';
import { HttpError } from '../http/http-error';
import {
  type BodyMemory,
  bodyMemory,
  type HttpRequest,
  readBytes,
  splitTarget,
} from '../http/request';
import type { HttpResponse, ResponseHeaders } from '../http/send';
import { apiKeysIn } from '../model/document';
import { type OutgoingRequest, withHeader } from '../requests/request-case';
import {
  checkMeta,
  errorCodes,
  errorReply,
  type McpMessage,
  type McpReply,
  missingMeta,
  namedVersion,
  ProtocolError,
  readMessage,
  requireVersion,
  sessionVersions,
  statelessVersion,
} from './messages';
import type { McpServer, SendCall } from './protocol';

/** The settings of an endpoint. */
export interface EndpointOptions {
  readonly allowsOrigin: (origin: string) => boolean;
  /** Bytes of a message: 16 MiB. */
  readonly maxMessageBytes?: number;
  readonly bodies?: BodyMemory;
  /** Gives the URL of the metadata of the protected resource (RFC 9728), which refusals for lack of credentials name. */
  readonly metadataUrl?: (() => string) | undefined;
}

const respond = (
  status: number,
  body: string | undefined,
  headers: ResponseHeaders = {},
): HttpResponse => ({
  status,
  headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
  body,
});

const refuse = (status: number, code: number, message: string, headers?: ResponseHeaders) =>
  respond(status, errorReply(undefined, new ProtocolError(code, message)).text, headers);

const headerOf = ({ headers }: HttpRequest, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

const mismatch = (header: string, given: string | undefined): ProtocolError => {
  const what = given === undefined ? 'is missing' : 'does not match the body';
  return new ProtocolError(errorCodes.headerMismatch, `Header mismatch: ${header} ${what}`);
};

/** Holds the headers of a request to its message, in the revision that both name (2026-07-28, Server Validation). */
const checkHeaders = (request: HttpRequest, message: McpMessage): void => {
  const header = headerOf(request, 'mcp-protocol-version');
  const named = namedVersion(message);
  const isOlder = header === undefined || sessionVersions.includes(header);
  if (message.id === undefined || (named === undefined && isOlder)) return;
  if (named === undefined) {
    requireVersion(header, [statelessVersion]);
    throw missingMeta('protocolVersion');
  }
  if (header !== named) throw mismatch('MCP-Protocol-Version', header);
  checkMeta(message);
  const method = headerOf(request, 'mcp-method');
  if (method !== message.method) throw mismatch('Mcp-Method', method);
  const source = { 'tools/call': 'name', 'resources/read': 'uri' }[message.method];
  const name = headerOf(request, 'mcp-name');
  if (source === undefined) return;
  // It may be Base64 in its frame (2026-07-28, Value Encoding).
  const [, encoded] = /^=\?base64\?([\w+/]*={0,2})\?=$/.exec(name ?? '') ?? [];
  const decoded = encoded === undefined ? name : Buffer.from(encoded, 'base64').toString();
  if (decoded === undefined || decoded !== message.params[source]) throw mismatch('Mcp-Name', name);
};

/**
 * Writes the reply to a message. Of a refusal for lack of credentials it has the status of HTTP, so that clients sign in, and the challenge,
 * with the address of what says where tokens come from (RFC 9728 section 5.1).
 */
const responseOf = (
  { code, answer, text }: McpReply,
  isStateless: boolean,
  { metadataUrl }: EndpointOptions,
): HttpResponse => {
  const challenges = answer?.headers.filter(([name]) => /^www-authenticate$/i.test(name)) ?? [];
  if (answer === undefined || challenges.length === 0) {
    return respond(code === errorCodes.unknownMethod && isStateless ? 404 : 200, text);
  }
  const challenge = challenges.map(([, value]) => value).join(', ');
  const added = metadataUrl === undefined ? '' : `resource_metadata="${metadataUrl()}", `;
  const challenged = challenge.replace(/\bBearer (?=\w+=)/, `Bearer ${added}`);
  return respond(answer.status, text, { 'WWW-Authenticate': challenged });
};

const readBody = async (
  request: HttpRequest,
  { maxMessageBytes = 16 * 1024 ** 2, bodies }: EndpointOptions,
) => {
  const memory = bodies ?? bodyMemory(maxMessageBytes);
  try {
    return parseJsonStrictly(textOf(await readBytes(request, { limit: maxMessageBytes, memory })));
  } finally {
    memory.release(request);
  }
};

const refusalOf = (
  request: HttpRequest,
  { allowsOrigin }: EndpointOptions,
): HttpResponse | undefined => {
  const { invalidRequest } = errorCodes;
  const origin = headerOf(request, 'origin');
  if (origin !== undefined && !allowsOrigin(origin)) {
    return refuse(403, invalidRequest, 'Pages of this origin may not call');
  }
  if (request.method !== 'POST') {
    return refuse(405, invalidRequest, 'Messages come by POST', { Allow: 'POST' });
  }
  const type = parseMediaType(headerOf(request, 'content-type') ?? '');
  if (type?.essence === 'application/json') return undefined;
  return refuse(415, invalidRequest, 'The Content-Type must be application/json');
};

/** Makes what answers the requests of an endpoint. */
export const mcpEndpoint = (server: McpServer, options: EndpointOptions) => {
  const answerMessage = async (
    request: HttpRequest,
    value: unknown,
    send: SendCall,
  ): Promise<HttpResponse> => {
    const given: unknown = Reflect.get(Object(value), 'id');
    const id = typeof given === 'string' || typeof given === 'number' ? given : undefined;
    try {
      const message = readMessage(value);
      checkHeaders(request, message);
      const reply = await server.answer(message, send, request.signal);
      if (reply === undefined) return respond(202, undefined);
      const isStateless = namedVersion(message) !== undefined;
      return responseOf(reply, isStateless, options);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return respond(400, errorReply(id, error).text);
    }
  };

  return async (request: HttpRequest, send: SendCall): Promise<HttpResponse> => {
    try {
      const refusal = refusalOf(request, options);
      return refusal ?? (await answerMessage(request, await readBody(request, options), send));
    } catch (error) {
      const { malformed, invalidRequest } = errorCodes;
      if (error instanceof MalformedText) {
        return refuse(400, malformed, `The body is not JSON: ${error.message}`);
      }
      if (!(error instanceof HttpError)) throw error;
      return refuse(error.status, invalidRequest, error.message, error.headers);
    }
  };
};

/** Tells whether an origin is of this machine. */
export const isLocalOrigin = (origin: string): boolean => {
  const hostname = attempt(() => new URL(origin).hostname);
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
};

/**
 * Adds the credentials of the request that a message came in to the request of a call: Authorization, and the API keys that the document
 * asks for. Cookies are left out: a browser would send them for any page.
 */
export const withCredentialsOf = (
  incoming: HttpRequest,
  outgoing: OutgoingRequest,
  document: Pick<ApiDocument, 'securitySchemes'>,
): OutgoingRequest => {
  const traced = ['traceparent', 'tracestate', 'x-request-id'];
  const names = ['authorization', ...apiKeysIn('header', document), ...traced];
  const given = new URLSearchParams(splitTarget(incoming.target).query);
  const keys = [...document.securitySchemes.values()].flatMap((scheme): [string, string][] => {
    const value = scheme.type === 'apiKey' && scheme.in === 'query' ? given.get(scheme.name) : null;
    return value === null || scheme.type !== 'apiKey' ? [] : [[scheme.name, value]];
  });
  const query = new URLSearchParams(keys).toString();
  const joint = outgoing.target.includes('?') ? '&' : '?';
  const target = query === '' ? outgoing.target : outgoing.target + joint + query;
  const isSaid = (name: string) => outgoing.headers.some(([other]) => other.toLowerCase() === name);
  return names.reduce<OutgoingRequest>(
    (request, name) => {
      const key = name.toLowerCase();
      const value = headerOf(incoming, key);
      return value === undefined || isSaid(key) ? request : withHeader(request, name, value);
    },
    { ...outgoing, target },
  );
};
