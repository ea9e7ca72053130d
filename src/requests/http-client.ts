/** Sends requests as they are, and reads what comes back, bounded in length and time. */

import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { errorMessage } from '../base/error-message';
import { recoverFrom } from '../base/recover';
import { acceptEncoding, decodeContent, UndecodableContent } from '../http/content-coding';
import type { OutgoingRequest } from './request-case';

/** The response of a server. */
export interface ServerAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names as they came, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Without its content codings. */
  readonly body: Buffer;
  /** The reason why it could not be had without them, and is left out. */
  readonly undecoded?: string | undefined;
  /** The reason why a stream is not here to its end: it was left, as it may have none, or the connection broke. */
  readonly cut?: 'left' | 'broken' | undefined;
}

/** A request with its whole URL, and the answer, or the reason why none came. */
export interface SentRequest {
  readonly request: OutgoingRequest & { readonly url: string };
  readonly answer: ServerAnswer | undefined;
  readonly error: string | undefined;
}

/** The values of a header, those of Set-Cookie in lines; names are case-insensitive (RFC 9110 sections 5.1 and 5.3). */
export const headerOf = (
  { headers }: Pick<ServerAnswer, 'headers'>,
  name: string,
): string | undefined => {
  const values = headers
    .filter(([other]) => other.toLowerCase() === name)
    .map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(name === 'set-cookie' ? '\n' : ', ');
};

/** Tells by its head whether an answer is a stream. */
export type IsStream = (head: Pick<ServerAnswer, 'status' | 'headers'>) => boolean;

export interface HttpClient {
  /** Counts the requests that were sent. */
  readonly count: () => number;
  /** @param isStream tells whether the body of an answer may go on for ever: the beginning is read then, up to a pause */
  send(request: OutgoingRequest, isStream?: IsStream): Promise<SentRequest>;
  close(): void;
}

/** Milliseconds that an answer may take, from the request to its last octet. */
const PATIENCE = 15_000;
/** Bytes of a body that are read, as they come and decoded. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Bytes of a stream after which it is left. */
const MOST_STREAM_BYTES = 256 * 1024;
/** Parts of the patience: that may pass without a byte before a stream is left, and in all. */
const PAUSES = 30;
const WHOLES = 5;

const answerOf = (message: IncomingMessage, body: Buffer): ServerAnswer => {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return { status, statusText, headers, body };
};

const readAnswer = async (message: IncomingMessage): Promise<ServerAnswer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`the body is longer than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return answerOf(message, Buffer.concat(chunks));
};

/** Reads the beginning of a stream, or all of it where it ends without a pause. */
const readStream = async (message: IncomingMessage, patience: number): Promise<ServerAnswer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let cut: ServerAnswer['cut'];
  const leave = (): void => {
    cut = 'left';
    message.destroy();
  };
  const timers = [setTimeout(leave, patience / PAUSES), setTimeout(leave, patience / WHOLES)];
  try {
    for await (const chunk of message) {
      timers[0]?.refresh();
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_STREAM_BYTES) leave();
    }
  } catch {
    cut ??= 'broken';
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
  return { ...answerOf(message, Buffer.concat(chunks)), cut };
};

const decoded = (answer: ServerAnswer): Promise<ServerAnswer> => {
  const codings = headerOf(answer, 'content-encoding');
  const body = decodeContent(answer.body, codings, MOST_BYTES, answer.cut === undefined);
  const leaveOut = ({ message }: UndecodableContent): ServerAnswer => {
    return { ...answer, body: Buffer.of(), undecoded: message };
  };
  return body.then(
    (plain) => ({ ...answer, body: plain }),
    recoverFrom(UndecodableContent, leaveOut),
  );
};

/** A kept connection may be closed by the server at the very moment of its next use (RFC 9112 section 9.3.1). */
class LostConnection extends Error {}

const answerTo = (
  sending: ClientRequest,
  body: Uint8Array | undefined,
  patience: number,
  isStream: IsStream,
): Promise<ServerAnswer> =>
  new Promise((resolve, reject) => {
    let begun: IncomingMessage | undefined;
    let streams = false;
    const timer = setTimeout(() => {
      reject(new Error(`no whole answer within ${patience / 1000} seconds`));
      sending.destroy();
    }, patience);
    sending.on('close', () => clearTimeout(timer));
    sending.on('response', (message) => {
      begun = message;
      streams = isStream(answerOf(message, Buffer.of()));
      void (streams ? readStream(message, patience) : readAnswer(message)).then(resolve, reject);
    });
    sending.on('error', (error: Error & { readonly rawPacket?: unknown }) => {
      // The reading of its beginning ends by itself.
      if (streams) return;
      const { rawPacket } = error;
      // An answer that had ended with its head when more came, which the parser refuses: that counts as its body.
      if (begun?.complete && Buffer.isBuffer(rawPacket)) {
        resolve(answerOf(begun, rawPacket.subarray(rawPacket.indexOf('\r\n\r\n') + 4)));
      } else reject(sending.reusedSocket ? new LostConnection(error.message) : error);
    });
    sending.end(body);
  });

/**
 * Opens a client of one server.
 * @param base URL that targets are appended to
 * @param added headers of every request, unless it has its own
 * @param patience milliseconds that an answer may take
 */
export const httpClient = (
  base: URL,
  added: OutgoingRequest['headers'] = [],
  patience = PATIENCE,
): HttpClient => {
  const isTls = base.protocol === 'https:';
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const prefix = base.pathname.replace(/\/$/, '');
  let count = 0;
  const open = ({ method, target, headers, body }: OutgoingRequest): ClientRequest => {
    const isBodiless = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method);
    const hasCodings = headers.some(([name]) => name.toLowerCase() === 'accept-encoding');
    const length = body?.length ?? (isBodiless ? undefined : 0);
    return (isTls ? httpsRequest : httpRequest)({
      agent,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      method,
      path: prefix + target,
      headers: [
        ...['Host', base.host, ...headers.flat()],
        ...(hasCodings ? [] : ['Accept-Encoding', acceptEncoding]),
        // Always, so that a server sees at once whether there is a body.
        ...(length === undefined ? [] : ['Content-Length', String(length)]),
      ],
    });
  };
  const withAdded = (request: OutgoingRequest): OutgoingRequest => {
    const own = new Set(request.headers.map(([name]) => name.toLowerCase()));
    const more = added.filter(([name]) => !own.has(name.toLowerCase()));
    return { ...request, headers: [...request.headers, ...more] };
  };
  const attempt = async (
    request: OutgoingRequest,
    isStream: IsStream,
    isLast = false,
  ): Promise<ServerAnswer> => {
    try {
      return await answerTo(open(request), request.body, patience, isStream);
    } catch (error) {
      if (!isLast && error instanceof LostConnection) return attempt(request, isStream, true);
      throw error;
    }
  };
  return {
    count: () => count,
    async send(given, isStream = () => false) {
      count += 1;
      const whole = withAdded(given);
      const request = { ...whole, url: `${base.origin}${prefix}${given.target}` };
      try {
        return { request, answer: await decoded(await attempt(whole, isStream)), error: undefined };
      } catch (error) {
        return { request, answer: undefined, error: errorMessage(error) };
      }
    },
    close: () => agent.destroy(),
  };
};
