/** Answers that are given again: what is sent twice under one Idempotency-Key acts once (draft-ietf-httpapi-idempotency-key-header-07). */

import type { UntypedHandler } from '../../engine';
import { HttpError } from '../../http/http-error';
import { mockHeader } from '../../http/send';
import { headerParameter, type Operation, responseFinder } from '../../model/operation';
import { valueKey } from '../../schema/validation/checks/equality-checks';
import { type MockResponse, successResponse } from '../samples/mock';

/** Makes the answers of one memory. */
export const keptAnswers = () => {
  /** With the text of what was sent under the key. */
  const answers = new Map<string, { payload: string; response: MockResponse; size: number }>();
  let kept = 0;
  const keep = (place: string, payload: string, response: MockResponse): MockResponse => {
    const size = place.length + payload.length + valueKey(response.body).length;
    answers.set(place, { payload, response, size });
    kept += size;
    // Beyond so many answers, and characters of what they hold, the oldest ones are forgotten.
    const [mostAnswers, mostCharacters] = [1000, 16 * 1024 * 1024];
    for (const [oldest, { size }] of answers) {
      if (answers.size <= mostAnswers && kept <= mostCharacters) break;
      answers.delete(oldest);
      kept -= size;
    }
    return response;
  };

  return {
    /** Forgets all. */
    clear(): void {
      answers.clear();
      kept = 0;
    },

    /**
     * Makes the function that acts on a request, or answers it as before. It throws HttpError for another request under a known key:
     * the declared 422, 409 or 400.
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
        const known = answers.get(place);
        if (known === undefined) return keep(place, payload, act());
        if (known.payload === payload) return known.response;
        const message = 'must be new for another request';
        throw new HttpError(refused, 'declared', 'The key was sent with another request before', {
          headers: { [mockHeader]: 'true' },
          errors: [{ in: 'header', path: declared.name, message }],
        });
      };
    },
  };
};
