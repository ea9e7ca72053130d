/** An operation's responses, compiled: which one a status is answered by (OAS 3.0.3, Responses Object). */

import type { ResolvedResponse } from '../document/model/operation';
import { lazy } from '../lang/lazy';
import { type CompiledResponse, compileResponse } from './response';
import type { ResponseContext } from './response-check';

/** The responses of one operation. */
export interface CompiledResponses {
  /** The response that declares the status: the exact code, else the range, else default; undefined where none does. */
  find(status: number): CompiledResponse | undefined;
  /** Whether a success can be answered in a media type that the Accept header allows. */
  acceptable(accept: string | undefined): boolean;
}

/** `default` is the success where no 2xx is declared. */
const successKeys = (responses: readonly ResolvedResponse[]): readonly string[] => {
  const declared = responses.map(({ key }) => key).filter((key) => /^2(\d\d|XX)$/.test(key));
  return declared.length > 0 ? declared : ['default'];
};

/** Compiles the responses; each one at its first use. */
export const compileResponses = (
  responses: readonly ResolvedResponse[],
  tools: ResponseContext,
): CompiledResponses => {
  const records = new Map(responses.map((record) => [record.key, record]));
  const compiled = new Map<string, CompiledResponse>();
  const byKey = (key: string): CompiledResponse | undefined => {
    const record = records.get(key);
    if (record === undefined) return undefined;
    const response = compiled.get(key) ?? compileResponse(record, tools);
    compiled.set(key, response);
    return response;
  };
  const successes = successKeys(responses);
  const successResponses = lazy(() => successes.map(byKey).filter((one) => one !== undefined));
  // A handler gives few statuses, and each of them many times.
  const found = new Map<number, CompiledResponse>();
  const findResponse = (status: number): CompiledResponse | undefined => {
    const response =
      byKey(String(status)) ?? byKey(`${Math.floor(status / 100)}XX`) ?? byKey('default');
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
  };
};
