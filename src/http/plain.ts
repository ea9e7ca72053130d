/** Plain requests and responses: what hosts other than node:http, such as the Fetch API, give to the engine and get from it. */

import { type Exchange, type Outcome, pathNotFound, requestIdFor } from './exchange';
import type { HttpRequest } from './request';
import {
  type HttpResponse,
  hasContent,
  headerLines,
  isLiveStream,
  isTextStream,
  type LiveStream,
  readBeginning,
  type TextStream,
  textFrom,
} from './send';

/**
 * A response, as its host has to send it.
 * @example { status: 200, headers: [['Content-Type', 'application/json']], body: '{"id":7}' }
 */
export interface PlainResponse {
  readonly status: number;
  /** Names and values; a name may come several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined: no content. Texts are sent in UTF-8, chunks one by one; `return` ends an iterator that is not read to its end. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;
}

/**
 * Makes the chunks of a body that is sent while it is made; calls `ended` when they are over, read or not.
 * @param chunks yields all that the stream gives
 */
const chunksOf = (
  chunks: AsyncIterator<string | Uint8Array>,
  stream: TextStream | LiveStream,
  ended: { done(): void; failed(error: unknown): void },
): AsyncIterable<string | Uint8Array> => ({
  [Symbol.asyncIterator]() {
    const over = { done: true, value: undefined } as const;
    return {
      async next() {
        try {
          const result = await chunks.next();
          if (result.done) void stream.return().then(ended.done, ended.failed);
          return result;
        } catch (error) {
          void stream.return().then(() => ended.failed(error), ended.failed);
          throw error;
        }
      },
      // A generator would wait for the chunk that is being made.
      async return() {
        await stream.return().then(ended.done, ended.failed);
        return over;
      },
    };
  },
});

interface PlainHost {
  readonly host?: unknown;
  /** Filled while the request is served. */
  readonly outcome?: Outcome;
}

class PlainExchange implements Exchange {
  readonly outcome: Outcome;
  readonly request: HttpRequest;
  readonly host: unknown;
  readonly #answer: (response: PlainResponse) => void;
  #requestId: string | undefined;
  hasBegun = false;

  constructor(
    request: HttpRequest,
    { host, outcome = {} }: PlainHost,
    answer: (response: PlainResponse) => void,
  ) {
    this.request = request;
    this.host = host;
    this.outcome = outcome;
    this.#answer = answer;
  }

  get requestId(): string {
    // As the middleware of Hono of that name leaves it.
    const given = (): unknown =>
      Reflect.get(Object(Reflect.get(Object(this.host), 'var')), 'requestId');
    this.#requestId ??= requestIdFor()(this.request.headers, given());
    return this.#requestId;
  }

  #begin({ status, headers }: HttpResponse, body: PlainResponse['body']): void {
    const lines = headerLines(headers);
    const pairs: (readonly [string, string])[] = [];
    for (let index = 0; index < lines.length; index += 2) {
      for (const value of [lines[index + 1] ?? []].flat()) pairs.push([`${lines[index]}`, value]);
    }
    this.#answer({ status, headers: pairs, body });
    this.outcome.status = status;
    this.hasBegun = true;
  }

  /** Begins, and resolves when the chunks have been read. */
  #stream(
    response: HttpResponse,
    chunks: AsyncIterator<string | Uint8Array>,
    source: TextStream | LiveStream,
  ): Promise<void> {
    return new Promise((done, failed) => {
      this.#begin(response, chunksOf(chunks, source, { done, failed }));
    });
  }

  async #sendText(response: HttpResponse, body: TextStream): Promise<void> {
    const { text, isWhole } = await readBeginning(body, false);
    if (isWhole) this.#begin(response, text);
    else await this.#stream(response, textFrom(text, body), body);
  }

  async send(response: HttpResponse): Promise<void> {
    const { body } = response;
    const isLive = isLiveStream(body);
    if (!isLive && !isTextStream(body)) {
      this.#begin(response, hasContent(this.request, response) ? body : undefined);
    } else if (hasContent(this.request, response)) {
      await (isLive ? this.#stream(response, body, body) : this.#sendText(response, body));
    } else {
      // A source that fails at once is answered by an error.
      if (!isLive) await readBeginning(body, true);
      await body.return();
      this.#begin(response, undefined);
    }
  }

  passOn(): Promise<never> {
    return Promise.reject(pathNotFound());
  }
}

/**
 * Serves a plain request. Resolves, whatever happens, to its response: with its whole body, or with one that is made while it is read.
 * @param serve the service's
 * @param make makes the host's response; throws where its status or headers are not allowed, which the engine answers like any failure
 */
export const respond = <Made>(
  serve: (exchange: Exchange) => Promise<void>,
  request: HttpRequest,
  host: PlainHost,
  make: (response: PlainResponse) => Made,
): Promise<Made> =>
  new Promise((resolve, reject) => {
    serve(new PlainExchange(request, host, (response) => resolve(make(response)))).catch(reject);
  });
