/** An operation's responses, compiled: which one a status is answered by (OAS 3.0.3, Responses Object). */

import type { ResolvedResponse } from '../document/model/operation';
import { lazy } from '../lang/lazy';
import { memoize } from '../lang/memoize';
import { type CompiledResponse, compileResponse } from './response';
import type { ResponseContext } from './response-check';

/** The responses of one operation. */
export interface CompiledResponses {
  /** The response that declares the status: the exact code, else the range, else default; undefined where none does. */
  find(status: number): CompiledResponse | undefined;
  /** Whether a success can be answered in a media type that the Accept header allows. */
  acceptable(accept: string | undefined): boolean;
  /** Those that a success can be answered in, our preference first. */
  readonly mediaTypes: readonly string[];
}

/** `default` is the success where no 2xx is declared. */
const successKeys = (responses: readonly ResolvedResponse[]): readonly string[] => {
  const declared = responses.map(({ key }) => key).filter((key) => /^2(\d\d|XX)$/.test(key));
  return declared.length > 0 ? declared : ['default'];
};

/** Makes the finder of the response that declares a status: the exact code, else the range, else default. */
export const responseFinder = (
  responses: readonly ResolvedResponse[],
): ((status: number) => ResolvedResponse | undefined) => {
  const records = new Map(responses.map((record) => [record.key, record]));
  return (status) =>
    records.get(String(status)) ??
    records.get(`${Math.floor(status / 100)}XX`) ??
    records.get('default');
};

/** Compiles the responses; each one at its first use. */
export const compileResponses = (
  responses: readonly ResolvedResponse[],
  tools: ResponseContext,
): CompiledResponses => {
  const compile = memoize((record: ResolvedResponse) => compileResponse(record, tools));
  const recordOf = responseFinder(responses);
  const successes = successKeys(responses);
  const successResponses = lazy(() =>
    responses.filter(({ key }) => successes.includes(key)).map(compile),
  );
  // A handler gives few statuses, and each of them many times.
  const found = new Map<number, CompiledResponse>();
  const findResponse = (status: number): CompiledResponse | undefined => {
    const record = recordOf(status);
    const response = record && compile(record);
    if (response !== undefined && Number.isInteger(status) && status < 600) {
      found.set(status, response);
    }
    return response;
  };
  return {
    find: (status) => found.get(status) ?? findResponse(status),
    acceptable: (accept) => {
      const known = successResponses();
      return known.length === 0 || known.some((response) => response.acceptable(accept));
    },
    get mediaTypes() {
      return [...new Set(successResponses().flatMap(({ mediaTypes }) => mediaTypes))];
    },
  };
};
