/** Messages of JSON-RPC 2.0 as the Model Context Protocol has them: read, held to their revision, refused. */

import { isPlainObject, type PlainObject } from '../base/plain-object';
import type { CallAnswer } from './result';

/** The revision in which each request says all that is needed to answer it. */
export const statelessVersion = '2026-07-28';

/** The revisions that begin with `initialize`, of which no session is made here. */
export const sessionVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** The error codes of JSON-RPC 2.0 and of the protocol (2026-07-28, Error Codes). */
export const errorCodes = {
  malformed: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParameters: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  // Of revisions before 2026-07-28.
  unknownResource: -32002,
} as const;

/** An error of the protocol, which is the caller's program's to mend. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
  }
}

/** A request or a notification (JSON-RPC 2.0). */
export interface McpMessage {
  /** Undefined of a notification. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: PlainObject;
}

/** A response as it is sent. */
export interface McpReply {
  /** JSON. */
  readonly text: string;
  readonly code?: number | undefined;
  readonly answer?: CallAnswer | undefined;
}

/** Reads a message. */
export const readMessage = (value: unknown): McpMessage => {
  const invalid = (text: string) => new ProtocolError(errorCodes.invalidRequest, text);
  if (!isPlainObject(value) || value['jsonrpc'] !== '2.0' || typeof value['method'] !== 'string') {
    const hint = Array.isArray(value) ? ': one at a time, no batch' : '';
    throw invalid(`The body must be one message of JSON-RPC 2.0${hint}`);
  }
  const { id, method, params = {} } = value;
  const isId = id === undefined || typeof id === 'string' || Number.isSafeInteger(id);
  if (!isId) throw invalid('The id must be a text or an integer');
  if (!isPlainObject(params)) throw invalid('The params must be an object');
  return { id: id as McpMessage['id'], method: String(method), params };
};

/** Gives `_meta` of a message. */
export const metaOf = ({ params }: McpMessage): PlainObject =>
  isPlainObject(params['_meta']) ? params['_meta'] : {};

/** Gives the revision that a message itself names; undefined of those before 2026-07-28. */
export const namedVersion = (message: McpMessage): unknown =>
  metaOf(message)['io.modelcontextprotocol/protocolVersion'];

/** Makes the refusal of a request that lacks metadata. */
export const missingMeta = (name: string): ProtocolError => {
  const needed = `The request needs params._meta with io.modelcontextprotocol/${name}`;
  return new ProtocolError(errorCodes.invalidParameters, needed);
};

/** Throws unless a revision is one of those. */
export const requireVersion = (version: unknown, known: readonly string[]): void => {
  if (known.some((one) => one === version)) return;
  const data = { supported: [statelessVersion, ...sessionVersions], requested: String(version) };
  throw new ProtocolError(errorCodes.unsupportedVersion, 'Unsupported protocol version', data);
};

/** Throws unless a request, where it names a revision, names that one, and the capabilities of its sender (2026-07-28, Per-Request Metadata). */
export const checkMeta = (message: McpMessage): void => {
  const version = namedVersion(message);
  if (version === undefined) return;
  requireVersion(version, [statelessVersion]);
  if (metaOf(message)['io.modelcontextprotocol/clientCapabilities'] === undefined) {
    throw missingMeta('clientCapabilities');
  }
};

/** Writes the response of an error. */
export const errorReply = (
  id: McpMessage['id'],
  { code, message, data }: ProtocolError,
): McpReply => ({
  text: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }),
  code,
});
