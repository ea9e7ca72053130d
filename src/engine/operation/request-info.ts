/** A request as security handlers and handlers see it. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { SecurityRequest } from '../security/credentials';
import type { ClientOf } from '../security/security-handlers';

/** The client is looked for where it is asked for, by accessors that all requests share. */
export class RequestInfo implements SecurityRequest {
  readonly #request: IncomingMessage;
  readonly #clientOf: ClientOf;
  readonly #mayConfirmLater: boolean;
  #confirmations: Promise<boolean>[] | undefined;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;

  constructor(
    request: IncomingMessage,
    query: string,
    clientOf: ClientOf,
    mayConfirmLater: boolean,
  ) {
    this.#request = request;
    this.#clientOf = clientOf;
    this.#mayConfirmLater = mayConfirmLater;
    this.method = request.method ?? '';
    this.headers = request.headers;
    this.query = query;
  }

  confirmLater(isStillTrue: () => Promise<boolean>): boolean {
    if (!this.#mayConfirmLater) return false;
    const confirmation = isStillTrue();
    this.#confirmations ??= [];
    this.#confirmations.push(confirmation);
    // It is waited for when the response is there. Until then a failure is nobody's.
    confirmation.catch(() => false);
    return true;
  }

  /** Whether what security handlers have gone on with is still true. */
  async isConfirmed(): Promise<boolean> {
    for (const isStillTrue of this.#confirmations ?? []) if (!(await isStillTrue)) return false;
    return true;
  }

  get address(): string {
    return this.#clientOf(this.#request).address;
  }

  get secure(): boolean {
    return this.#clientOf(this.#request).secure;
  }
}
