/** Passes messages on between a client and the upstream, as HTTP asks of those in the middle (RFC 9110 section 7.6). */

import {
  request as httpRequest,
  type IncomingMessage,
  type OutgoingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { attempt } from '../../base/recover';
import { listElements } from '../../base/text/list-elements';
import { HttpError } from '../../http/http-error';
import { originForm } from '../../http/request';
import { hasContent } from '../../http/send';

type HeaderPairs = readonly [name: string, value: string][];

/** Pairs the names and values of raw headers. */
export const pairsOf = (raw: readonly string[]): HeaderPairs =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

/**
 * Takes off a message the headers that are not passed on, so that what is checked is what is sent: those for one connection alone, and a
 * Trailer where no trailers can follow, which node:http refuses. Transfer-Encoding is left in `headers`: it announces a body.
 */
export const takeOffHeaders = (message: IncomingMessage, others: readonly string[] = []): void => {
  const { rawHeaders, headers } = message;
  const left = new Set(listElements((headers.connection ?? '').toLowerCase()));
  // Without its length, the body would be framed in another way.
  left.delete('content-length');
  left.delete('transfer-encoding');
  if (headers['transfer-encoding'] === undefined) left.add('trailer');
  // Those for one connection alone (RFC 9110 section 7.6.1), beside those that Connection names.
  const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];
  for (const name of [...hopByHop, ...others]) left.add(name);
  const isLeft = (name: string): boolean => left.has(name.toLowerCase());
  const kept = pairsOf(rawHeaders).filter(([name]) => !isLeft(name));
  message.headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !isLeft(name)));
  message.rawHeaders = kept.filter(([name]) => !/^transfer-encoding$/i.test(name)).flat();
};

/**
 * Gives the trailers that are passed on: none for fields that frame, route, authorize or control a message, or say what its content is,
 * for which they come too late (RFC 9110 section 6.5.1).
 */
const passedTrailers = (message: IncomingMessage, { keyHeaders }: Upstream): HeaderPairs => {
  const headerOnly =
    /^(?:age|authorization|cache-control|connection|content-(?:encoding|length|range|type)|cookie|date|expect|expires|forwarded|host|if-.*|keep-alive|location|max-forwards|pragma|proxy-.*|range|retry-after|set-cookie|te|trailer|transfer-encoding|upgrade|vary|via|www-authenticate|x-forwarded-.*)$/;
  return pairsOf(message.rawTrailers).filter(([trailer]) => {
    const name = trailer.toLowerCase();
    return !headerOnly.test(name) && !keyHeaders.has(name);
  });
};

/** Returns the path before the targets of requests: that of the URL, without the document's base path at its end. */
export const upstreamPrefix = ({ pathname }: URL, basePath: string): string => {
  const path = pathname.replace(/\/$/, '');
  return path.endsWith(basePath) ? path.slice(0, path.length - basePath.length) : path;
};

const upstreamHeaders = (request: IncomingMessage, { host }: URL): HeaderPairs => {
  const { method = '', headers, httpVersion, socket } = request;
  const isChunked = headers['transfer-encoding'] !== undefined;
  // Of these methods node:http takes a request without Content-Length for one without a body.
  const isBodiless = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method);
  const isFramed = isBodiless || headers['content-length'] !== undefined;
  const withoutLength: HeaderPairs = isFramed ? [] : [['Content-Length', '0']];
  const join = (name: string, value: string) => [headers[name] ?? [], value].flat().join(', ');
  return [
    ['Host', host],
    ...pairsOf(request.rawHeaders).filter(([name]) => !/^(?:host|via|x-forwarded-.*)$/i.test(name)),
    ...(isChunked ? ([['Transfer-Encoding', 'chunked']] satisfies HeaderPairs) : withoutLength),
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

/** The server that requests are passed on to, and the path before their targets. */
export interface Upstream {
  readonly upstream: URL;
  readonly prefix: string;
  /** Seconds from the last byte of a request to the head of its response. */
  readonly timeout: number;
  /** The names of the headers with API keys, in lower case. */
  readonly keyHeaders: ReadonlySet<string>;
}

/** Prepares a final response. Returns false where it cannot be passed on: another protocol, or a transfer coding that the client would not hear of. */
const isPassable = (answer: IncomingMessage, request: IncomingMessage): boolean => {
  const { statusCode: status = 0, statusMessage = '', headers } = answer;
  const coding = headers['transfer-encoding'] ?? 'chunked';
  // node:http sends no control characters in it.
  answer.statusMessage = statusMessage.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');
  const isWhole = hasContent(request, { status }) && request.httpVersion !== '1.0';
  takeOffHeaders(answer, [
    // RFC 9110 section 8.6; to HEAD it is the length of what GET gets.
    ...(hasContent({}, { status }) ? [] : ['content-length']),
    ...(isWhole ? [] : ['trailer']),
  ]);
  return status >= 200 && coding.toLowerCase() === 'chunked';
};

/**
 * Passes a request on. Resolves to the head of the final response; rejects with a 502 where none comes, with a 504 where it comes too
 * late. The upstream request ends when the client's connection does.
 * @param read the body, where it has been read already
 */
export const passOn = (
  request: IncomingMessage,
  response: ServerResponse,
  to: Upstream,
  read: Buffer | undefined,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { upstream, prefix, timeout } = to;
    const isRead = read !== undefined;
    const headers = upstreamHeaders(request, upstream);
    const send = upstream.protocol === 'https:' ? httpsRequest : httpRequest;
    // A connection for each request: one that is kept may be closed by the upstream at the very moment of its next use.
    const sending = send({
      agent: false,
      insecureHTTPParser: false,
      hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
      port: upstream.port,
      method: request.method,
      path: prefix + originForm(request.url ?? '').replace(/^(?![/*])/, '/'),
      headers: headers.filter(([name]) => !(isRead && name.toLowerCase() === 'expect')).flat(),
    });
    const unreachable = (cause: Error): void => {
      clearTimeout(waiting);
      const code = 'code' in cause ? ` (${cause.code})` : '';
      const message = `The upstream server cannot be reached, or does not answer in HTTP${code}.`;
      reject(new HttpError(502, 'unavailable', message, { cause }));
    };
    const waiting = setTimeout(() => {
      reject(new HttpError(504, 'unavailable', 'The upstream server does not answer in time.'));
      sending.destroy();
    }, timeout * 1000);
    sending.on('response', (answer) => {
      clearTimeout(waiting);
      if (isPassable(answer, request)) resolve(answer);
      else sending.destroy();
    });
    sending.on('error', unreachable);
    sending.on('close', () => unreachable(new Error('It gives no final response')));
    const isAwaited = request.headers.expect !== undefined;
    sending.once('continue', () => isAwaited && response.writeContinue());
    let interim = 0;
    // Interim responses to one request, beyond which no final one is waited for.
    const mostInterim = 100;
    sending.on('information', ({ statusCode, headers }) => {
      interim += 1;
      const link = String(headers['link'] ?? '');
      // Early hints (RFC 8297) are passed on if they are links that node:http takes for such, and needs no time to look at.
      const isPlain = /^<[^<>]*>(?:\s*;\s*\w+(?:="[\w/-]*"|=[\w/-]*)?)*$/.test(link);
      if (interim > mostInterim) sending.destroy();
      else if (statusCode === 103 && isPlain && request.httpVersion !== '1.0')
        attempt(() => response.writeEarlyHints({ link }));
    });
    response.once('close', () => sending.destroy());
    sendHead(sending);
    const sendTrailers = (): void => sending.addTrailers(passedTrailers(request, to));
    if (isRead) {
      sending.write(read);
      sendTrailers();
      sending.end();
    } else {
      request.on('data', () => waiting.refresh());
      request.once('end', sendTrailers);
      // Not `pipeline`: it would close the client's connection where the upstream fails, and no response could be sent.
      request.pipe(sending);
    }
  });

/** Adds the trailers of the upstream's response, which have come with its end. */
export const passTrailers = (answer: IncomingMessage, response: ServerResponse, from: Upstream) =>
  response.addTrailers(passedTrailers(answer, from));

/** The problem of a response without its end. */
export const brokenOff = 'The upstream server broke off its response';

/** Reads a body to its end, or until there is more than is checked. */
export const readAhead = async (answer: IncomingMessage, copy: BodyCopy, { timeout }: Upstream) => {
  const chunks: Buffer[] = [];
  answer.setTimeout(timeout * 1000, () => answer.destroy());
  try {
    for await (const chunk of answer.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      copy.take(chunk);
      if (!copy.isKept) break;
    }
    return chunks;
  } catch (cause) {
    throw new HttpError(502, 'unavailable', brokenOff, { cause });
  } finally {
    answer.setTimeout(0);
  }
};
