/** The deprecation of an operation, as its responses carry it (RFC 9745, RFC 8594) and its readers see it. */

import type { Operation, Response } from './operation';

/** Lists the headers that each response of the operation carries; none where the document gives no date. */
export const deprecationHeaders = ({
  deprecatedSince,
  sunset,
  docsUrl,
}: Operation): Readonly<Record<string, string>> => {
  const relations = [deprecatedSince && 'deprecation', sunset && 'sunset'].filter(Boolean);
  const links = docsUrl === undefined ? [] : relations.map((one) => `<${docsUrl}>; rel="${one}"`);
  return {
    ...(deprecatedSince && { Deprecation: `@${Math.floor(deprecatedSince.getTime() / 1000)}` }),
    ...(sunset && { Sunset: sunset.toUTCString() }),
    ...(links.length > 0 && { Link: links.join(', ') }),
  };
};

/** Lists the responses as they are for handlers and mocks: without the headers that tell of the deprecation. */
export const handledResponses = (operation: Operation): readonly Response[] => {
  const names = Object.keys(deprecationHeaders(operation)).map((name) => name.toLowerCase());
  if (names.length === 0) return operation.responses;
  return operation.responses.map((response) => ({
    ...response,
    headers: response.headers.filter(({ name }) => !names.includes(name.toLowerCase())),
  }));
};

/** Returns the day of a date in UTC: `2026-01-01`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/**
 * Says since when an operation is deprecated, and how long it stays; empty where it is not, or the document gives no date.
 * @example 'since 2026-01-01, gone after 2027-06-30'
 */
export const deprecationWords = ({ deprecated, deprecatedSince, sunset }: Operation): string => {
  const since = deprecatedSince && `since ${dayOf(deprecatedSince)}`;
  const until = deprecated && sunset && `gone after ${dayOf(sunset)}`;
  return [since, until].filter(Boolean).join(', ');
};
