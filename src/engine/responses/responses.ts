/** The responses of one operation: each status finds the one that declares it (OAS 3.0.3, Responses Object). */

import { lazy, memoize } from '../../base/memoize';
import type { AllowHeaders } from '../../http/http-error';
import { type Response, responseFinder, successesOf } from '../../model/operation';
import {
  type CompiledResponse,
  compileResponse,
  type HandlerResponse,
  responseOf,
} from './response';
import type { ResponseTools } from './response-headers';

/** Compiles the response of a status that is not declared, which only the check of responses refuses. */
const compileUndeclared = (tools: ResponseTools): CompiledResponse => {
  const none = compileResponse(responseOf([]), tools);
  const any = compileResponse(responseOf(['*/*']), tools);
  const write: CompiledResponse['write'] = (given, accept) =>
    ((given.body ?? given.serialized) === undefined ? none : any).write(given, accept);
  return { ...any, write };
};

/** The responses of one operation. */
export interface CompiledResponses {
  /**
   * Finds the response that declares the status: the exact code, else the range, else default. If none does, it is undefined where
   * responses are checked, else one for any value.
   */
  find(status: number): CompiledResponse | undefined;
  /** Tells whether a success can be answered in a media type that the Accept header allows. */
  acceptable(accept: string | undefined): boolean;
  /** Returns every declared response once. */
  all(): readonly CompiledResponse[];
  /** The media types that a success can be answered in, our preference first. */
  readonly mediaTypes: readonly string[];
}

/**
 * Compiles the responses; each one at its first use.
 * @param allowed the headers of a 405
 */
export const compileResponses = (
  responses: readonly Response[],
  tools: ResponseTools,
  allowed: AllowHeaders,
): CompiledResponses => {
  const compile = memoize((record: Response) => compileResponse(record, tools));
  const recordOf = responseFinder(responses);
  const successResponses = lazy(() => successesOf(responses).map(compile));
  const undeclared = lazy(() => compileUndeclared(tools));
  // A handler gives few statuses, and each of them many times.
  const find = memoize(
    (status: number) => {
      const record = recordOf(status);
      const other = tools.validateResponses ? undefined : undeclared();
      const found = record === undefined ? other : compile(record);
      if (found === undefined || status !== 405) return found;
      const { write, ...response } = found;
      return {
        ...response,
        write: (given: HandlerResponse, accept: string | undefined) =>
          write({ ...given, headers: { ...allowed, ...given.headers } }, accept),
      };
    },
    { max: 100 },
  );
  return {
    find,
    all: () => responses.map((record) => compile(record)),
    acceptable: (accept) => {
      const known = successResponses();
      return known.length === 0 || known.some((response) => response.acceptable(accept));
    },
    get mediaTypes() {
      return [...new Set(successResponses().flatMap(({ mediaTypes }) => mediaTypes))];
    },
  };
};
