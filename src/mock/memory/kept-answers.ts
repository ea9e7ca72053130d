/** Answers that are given again: what is sent twice under one Idempotency-Key acts once (draft-ietf-httpapi-idempotency-key-header-07). */

import type { UntypedHandler } from '../../engine';
import { HttpError } from '../../http/http-error';
import { mockHeader } from '../../http/send';
import { headerParameter, type Operation, responseFinder } from '../../model/operation';
import { valueKey } from '../../schema/validation/checks/equality-checks';
import { type MockResponse, successResponse } from '../samples/mock';

/** The most answers that are kept, and characters of what they hold; beyond, the oldest ones are forgotten. */
const MOST_ANSWERS = 1000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

interface KeptAnswer {
  /** The text of what was sent under the key. */
  readonly payload: string;
  readonly response: MockResponse;
  readonly size: number;
}

/** The answers of one memory. */
export class KeptAnswers {
  readonly #answers = new Map<string, KeptAnswer>();
  #size = 0;

  /** Forgets all. */
  clear(): void {
    this.#answers.clear();
    this.#size = 0;
  }

  /**
   * Makes the function that acts on a request, or answers it as before. It throws HttpError for another request under a known key: the
   * declared 422, 409 or 400.
   */
  compileOnce(operation: Operation) {
    const { method, path, responses } = operation;
    const declared = headerParameter(operation, 'idempotency-key');
    const find = responseFinder(responses);
    const others = [undefined, successResponse(responses).response];
    const refused = [422, 409, 400].find((status) => !others.includes(find(status))) ?? 422;
    return (request: Parameters<UntypedHandler>[0], act: () => MockResponse): MockResponse => {
      const key = request.client.headers['idempotency-key'];
      if (declared === undefined || !key) return act();
      const place = valueKey([method, path, request.path, key]);
      const payload = valueKey([request.query, request.body]);
      const known = this.#answers.get(place);
      if (known === undefined) {
        const response = act();
        const size = place.length + payload.length + valueKey(response.body).length;
        this.#keep(place, { payload, response, size });
        return response;
      }
      if (known.payload === payload) return known.response;
      throw new HttpError(refused, 'declared', 'The key was sent with another request before', {
        headers: { [mockHeader]: 'true' },
        errors: [{ in: 'header', path: declared.name, message: 'must be new for another request' }],
      });
    };
  }

  #keep(place: string, answer: KeptAnswer): void {
    this.#answers.set(place, answer);
    this.#size += answer.size;
    for (const [oldest, { size }] of this.#answers) {
      if (this.#answers.size <= MOST_ANSWERS && this.#size <= MOST_CHARACTERS) return;
      this.#answers.delete(oldest);
      this.#size -= size;
    }
  }
}
