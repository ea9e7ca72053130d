/** The deprecation of an operation, as its responses carry it (RFC 9745, RFC 8594) and its readers see it. */

import type { Operation, Response } from './operation';

type Dated = Pick<Operation, 'deprecatedSince' | 'sunset' | 'docsUrl'>;

/** Lists the headers that each response of the operation carries; none where the document gives no date. */
export const deprecationHeaders = ({
  deprecatedSince,
  sunset,
  docsUrl,
}: Dated): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {};
  const links: string[] = [];
  if (deprecatedSince !== undefined) {
    headers['Deprecation'] = `@${Math.floor(deprecatedSince.getTime() / 1000)}`;
    links.push(`<${docsUrl}>; rel="deprecation"`);
  }
  if (sunset !== undefined) {
    headers['Sunset'] = sunset.toUTCString();
    links.push(`<${docsUrl}>; rel="sunset"`);
  }
  if (docsUrl !== undefined && links.length > 0) headers['Link'] = links.join(', ');
  return headers;
};

/** Lists the responses as they are for handlers and mocks: without the headers that tell of the deprecation. */
export const handledResponses = (
  operation: Dated & Pick<Operation, 'responses'>,
): readonly Response[] => {
  const names = new Set(
    Object.keys(deprecationHeaders(operation)).map((name) => name.toLowerCase()),
  );
  if (names.size === 0) return operation.responses;
  return operation.responses.map((response) => ({
    ...response,
    headers: response.headers.filter(({ name }) => !names.has(name.toLowerCase())),
  }));
};

/** Returns the day of a date in UTC: `2026-01-01`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/**
 * Says since when an operation is deprecated, and how long it stays; empty where it is not, or the document gives no date.
 * @example 'since 2026-01-01, gone after 2027-06-30'
 */
export const deprecationWords = ({
  deprecated,
  deprecatedSince,
  sunset,
}: Pick<Operation, 'deprecated' | 'deprecatedSince' | 'sunset'>): string => {
  if (!deprecated) return '';
  return [
    ...(deprecatedSince === undefined ? [] : [`since ${dayOf(deprecatedSince)}`]),
    ...(sunset === undefined ? [] : [`gone after ${dayOf(sunset)}`]),
  ].join(', ');
};
