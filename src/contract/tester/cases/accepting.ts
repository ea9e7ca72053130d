/** Asking for one of the media types that an operation declares. */

import { concreteMediaType, type Operation } from '../../../engine';
import { type HttpRequest, withHeader } from '../requests/request-case';

const typesOf = ({ responses }: Operation, keys: RegExp): string[] => [
  ...new Set(
    responses
      .filter(({ key }) => keys.test(key))
      .flatMap(({ content }) => content.map(({ key }) => key))
      .filter((key) => concreteMediaType(key) === key),
  ),
];

/** The media types that an operation declares for its successes. */
export const successTypes = (operation: Operation): string[] => typesOf(operation, /^2|^default$/);

/** The media types that an operation declares for refusals. */
export const errorTypes = (operation: Operation): string[] => typesOf(operation, /^4|^default$/);

/** What makes a request ask for a media type; for none it stays as it is. */
export const accepting =
  (accept: string | undefined) =>
  (request: HttpRequest): HttpRequest =>
    accept === undefined ? request : withHeader(request, 'Accept', accept);
