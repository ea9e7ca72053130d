/** A request as security handlers and handlers see it. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { SecurityRequest } from '../security/credentials';
import type { ClientOf } from '../security/security-handlers';

/** The client is looked for where it is asked for, by accessors that all requests share. */
export class RequestInfo implements SecurityRequest {
  readonly #request: IncomingMessage;
  readonly #clientOf: ClientOf;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;

  constructor(request: IncomingMessage, query: string, clientOf: ClientOf) {
    this.#request = request;
    this.#clientOf = clientOf;
    this.method = request.method ?? '';
    this.headers = request.headers;
    this.query = query;
  }

  get address(): string {
    return this.#clientOf(this.#request).address;
  }

  get secure(): boolean {
    return this.#clientOf(this.#request).secure;
  }
}
