/** Passes messages on between a client and the upstream, as HTTP asks of those in the middle (RFC 9110 section 7.6). */

import {
  request as httpRequest,
  type IncomingMessage,
  type OutgoingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { HttpError } from '../../http/http-error';
import { originForm } from '../../http/request';

type HeaderPairs = readonly [name: string, value: string][];

/** Pairs the names and values of raw headers. */
const pairsOf = (raw: readonly string[]): HeaderPairs =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

/** Headers for one connection alone (RFC 9110 section 7.6.1), beside those that Connection names. */
const hopByHop = /^(?:connection|keep-alive|proxy-connection|te|transfer-encoding|upgrade)$/;

/** Returns the headers of a message that are passed on, as they were sent. */
export const endToEndHeaders = ({ rawHeaders, headers }: IncomingMessage): HeaderPairs => {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  // Without its length, the body would be framed in another way.
  named.delete('content-length');
  return pairsOf(rawHeaders).filter(([given]) => {
    const name = given.toLowerCase();
    return !hopByHop.test(name) && !named.has(name);
  });
};

/** Returns the path before the targets of requests: that of the URL, without the document's base path at its end. */
export const upstreamPrefix = ({ pathname }: URL, basePath: string): string => {
  const path = pathname.replace(/\/$/, '');
  return path.endsWith(basePath) ? path.slice(0, path.length - basePath.length) : path;
};

/** Methods of which node:http takes a request without Content-Length for one without a body. */
const bodiless = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/;

const framingOf = ({ method = '', headers }: IncomingMessage): HeaderPairs => {
  if (headers['transfer-encoding'] !== undefined) return [['Transfer-Encoding', 'chunked']];
  const isSaid = headers['content-length'] !== undefined || bodiless.test(method);
  return isSaid ? [] : [['Content-Length', '0']];
};

const upstreamHeaders = (request: IncomingMessage, { host }: URL): HeaderPairs => {
  const { headers, httpVersion, socket } = request;
  const join = (name: string, value: string) => [headers[name] ?? [], value].flat().join(', ');
  return [
    ['Host', host],
    ...endToEndHeaders(request).filter(([name]) => !/^(?:host|via|x-forwarded-.*)$/i.test(name)),
    ...framingOf(request),
    ['Via', join('via', `${httpVersion} spec-first`)],
    ['X-Forwarded-For', join('x-forwarded-for', socket.remoteAddress ?? 'unknown')],
    // Those of a proxy before this one stand.
    ['X-Forwarded-Host', String(headers['x-forwarded-host'] ?? headers.host ?? '')],
    ['X-Forwarded-Proto', String(headers['x-forwarded-proto'] ?? 'http')],
  ];
};

/** A copy of a body that passes by, as far as it may be checked. */
export class BodyCopy {
  readonly #chunks: Uint8Array[] = [];
  readonly #limit: number;
  readonly #room: { bytes: number };
  #size = 0;
  /** False once there were too many bytes, and none is kept. */
  isKept = true;
  /** True once there were more than the limit. */
  isTooLong = false;

  /**
   * @param limit bytes
   * @param room bytes that all copies together may still take
   */
  constructor(limit: number, room: { bytes: number }) {
    this.#limit = limit;
    this.#room = room;
  }

  take(chunk: Uint8Array): void {
    if (!this.isKept) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#room.bytes -= chunk.length;
    this.isTooLong = this.#size > this.#limit;
    if (this.isTooLong || this.#room.bytes < 0) this.release();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  release(): void {
    this.isKept = false;
    this.#room.bytes += this.#size;
    this.#size = 0;
    this.#chunks.length = 0;
  }
}

/** Sends the head before the body. `flushHeaders` would write it in UTF-8, and so change its bytes beyond ASCII. */
export const sendHead = (message: OutgoingMessage): boolean => message.write(Buffer.alloc(0));

const unreachable = (cause: Error): HttpError => {
  const code = 'code' in cause ? ` (${cause.code})` : '';
  const message = `The upstream server cannot be reached, or does not answer in HTTP${code}.`;
  return new HttpError(502, 'unavailable', message, { cause });
};

/** The server that requests are passed on to, and the path before their targets. */
export interface Upstream {
  readonly upstream: URL;
  readonly prefix: string;
}

/**
 * Passes a request on. Resolves to the head of the final response; rejects with a 502 where none comes. The upstream request ends when
 * the client's connection does.
 * @param read the body, where it has been read already
 */
export const passOn = (
  request: IncomingMessage,
  response: ServerResponse,
  { upstream, prefix }: Upstream,
  read: Buffer | undefined,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const isRead = read !== undefined;
    const headers = upstreamHeaders(request, upstream);
    const send = upstream.protocol === 'https:' ? httpsRequest : httpRequest;
    // A connection for each request: one that is kept may be closed by the upstream at the very moment of its next use.
    const sending = send({
      agent: false,
      hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
      port: upstream.port,
      method: request.method,
      path: prefix + originForm(request.url ?? '').replace(/^(?![/*])/, '/'),
      headers: headers.filter(([name]) => !(isRead && name.toLowerCase() === 'expect')).flat(),
    });
    sending.on('response', resolve);
    sending.on('error', (error) => reject(unreachable(error)));
    sending.on('continue', () => request.headers.expect !== undefined && response.writeContinue());
    sending.on('information', ({ statusCode, headers: { link } }) => {
      // Hints that node:http would refuse are left out (RFC 8297).
      const isPlain =
        typeof link === 'string' && /^<[^<>]*>(?:\s*;\s*\w+="?[\w/-]*"?)*$/.test(link);
      if (statusCode === 103 && isPlain) response.writeEarlyHints({ link });
    });
    response.once('close', () => sending.destroy());
    sendHead(sending);
    const sendTrailers = (): void => sending.addTrailers(pairsOf(request.rawTrailers));
    if (isRead) {
      sending.write(read);
      sendTrailers();
      sending.end();
    } else {
      request.once('end', sendTrailers);
      // Not `pipeline`: it would close the client's connection where the upstream fails, and no response could be sent.
      request.pipe(sending);
    }
  });

/** Adds the trailers of the upstream's response, which have come with its end. */
export const passTrailers = (answer: IncomingMessage, response: ServerResponse): void =>
  response.addTrailers(pairsOf(answer.rawTrailers));
