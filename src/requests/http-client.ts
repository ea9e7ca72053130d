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

/** Bytes of a body that are read, as they come and decoded. */
const MOST_BYTES = 16 * 1024 * 1024;

const answerOf = (message: IncomingMessage, body: Buffer): ServerAnswer => {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return { status, statusText, headers, body };
};

/** Reads an answer to its end; of a stream the beginning, or all of it where it ends without a pause. */
const readAnswer = async (
  message: IncomingMessage,
  patience: number,
  streams: boolean,
): Promise<ServerAnswer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let cut: ServerAnswer['cut'];
  const leave = (): void => {
    cut = 'left';
    message.destroy();
  };
  // Bytes of a stream after which it is left, and the times: without a byte, and in all.
  const mostStreamBytes = 256 * 1024;
  const pauses = streams ? [patience / 30, patience / 5] : [];
  const timers = pauses.map((pause) => setTimeout(leave, pause));
  try {
    for await (const chunk of message) {
      timers[0]?.refresh();
      chunks.push(chunk);
      bytes += chunk.length;
      if (streams && bytes > mostStreamBytes) leave();
      if (bytes > MOST_BYTES) throw new Error(`the body is longer than ${MOST_BYTES} bytes`);
    }
  } catch (error) {
    if (!streams) throw error;
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
      void readAnswer(message, patience, streams).then(resolve, reject);
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
 * @param patience milliseconds that an answer may take, from the request to its last octet
 */
export const httpClient = (
  base: URL,
  added: OutgoingRequest['headers'] = [],
  patience = 15_000,
) => {
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
  return {
    /** Counts the requests that were sent. */
    count: () => count,
    /** @param isStream tells whether the body of an answer may go on for ever: the beginning is read then, up to a pause */
    async send(given: OutgoingRequest, isStream: IsStream = () => false): Promise<SentRequest> {
      count += 1;
      const own = new Set(given.headers.map(([name]) => name.toLowerCase()));
      const more = added.filter(([name]) => !own.has(name.toLowerCase()));
      const whole = { ...given, headers: [...given.headers, ...more] };
      const request = { ...whole, url: `${base.origin}${prefix}${given.target}` };
      const ask = () => answerTo(open(whole), given.body, patience, isStream);
      try {
        const answer = await ask().catch(recoverFrom(LostConnection, ask));
        return { request, answer: await decoded(answer), error: undefined };
      } catch (error) {
        return { request, answer: undefined, error: errorMessage(error) };
      }
    },
    close: () => agent.destroy(),
  };
};

export type HttpClient = ReturnType<typeof httpClient>;
