/** What a mock answers with: which declared response, and which of its examples. */

import type { ResolvedResponse } from '../document/model/operation';

/** A response and the status that stands for its key. */
interface SuccessResponse {
  readonly status: number;
  readonly response: ResolvedResponse;
}

/** Keys of redirects count as success where there is no other. */
const codesOf = (responses: readonly ResolvedResponse[], digit: '2' | '3'): SuccessResponse[] =>
  responses
    .filter(({ key }) => /^\d{3}$/.test(key) && key.startsWith(digit))
    .map((response) => ({ status: Number(response.key), response }))
    .sort((one, other) => one.status - other.status);

const underKey = (
  responses: readonly ResolvedResponse[],
  key: string,
  status: number,
): SuccessResponse[] =>
  responses.filter((response) => response.key === key).map((response) => ({ status, response }));

/**
 * The lowest declared 2xx, else `2XX` or `default` as 200, else a declared redirect; undefined where only failures are
 * declared.
 */
export const successResponse = (
  responses: readonly ResolvedResponse[],
): SuccessResponse | undefined =>
  [
    ...codesOf(responses, '2'),
    ...underKey(responses, '2XX', 200),
    ...underKey(responses, 'default', 200),
    ...codesOf(responses, '3'),
    ...underKey(responses, '3XX', 302),
  ][0];

const preference = /(?:^|[,;])\s*example\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;

/** The name of the example; undefined where none is asked for. */
export const preferredExample = (header: string | string[] | undefined): string | undefined => {
  const [, quoted, token] = preference.exec([header ?? ''].flat().join(', ')) ?? [];
  return quoted ?? token;
};
