/** Responses of deprecated operations, which say so in their headers where the document gives the dates (RFC 9745, RFC 8594). */

import type { WriteError } from '../../http/failure';
import type { HttpResponse } from '../../http/send';
import { deprecationHeaders } from '../../model/deprecation';
import type { Operation } from '../../model/operation';

/**
 * Makes the function that adds the headers of its deprecation to a response of the operation; undefined where there are none. Headers of
 * the response itself stay, and its links stand before those that are added (RFC 8288 section 3).
 */
export const deprecationMarker = (operation: Operation) => {
  const added = Object.entries(deprecationHeaders(operation));
  if (added.length === 0) return undefined;
  return (response: HttpResponse): HttpResponse => {
    const headers = { ...response.headers };
    for (const [name, value] of added) {
      const own = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
      if (own === undefined) headers[name] = value;
      else if (name === 'Link') headers[own] = [headers[own] ?? [], value].flat().join(', ');
    }
    return { ...response, headers };
  };
};

/** Makes a writer of errors that adds the headers of the operation's deprecation; the same writer where there are none. */
export const markedErrors = (
  mark: ReturnType<typeof deprecationMarker>,
  writeError: WriteError,
): WriteError => (mark === undefined ? writeError : (...failure) => mark(writeError(...failure)));
