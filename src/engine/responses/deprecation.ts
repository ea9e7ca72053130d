/** Responses of deprecated operations, which say so in their headers where the document gives the dates (RFC 9745, RFC 8594). */

import type { WriteError } from '../../http/failure';
import type { HttpResponse, ResponseHeaders } from '../../http/send';
import { deprecationHeaders } from '../../model/deprecation';
import type { Operation } from '../../model/operation';

/** Adds headers; those that the response has already stay, and links are added to its own (RFC 8288 section 3). */
const withHeaders = (own: ResponseHeaders, added: Readonly<Record<string, string>>) => {
  const headers = { ...own };
  for (const [name, value] of Object.entries(added)) {
    const key = Object.keys(own).find((other) => other.toLowerCase() === name.toLowerCase());
    if (key === undefined) headers[name] = value;
    else if (name === 'Link') headers[key] = [headers[key] ?? [], value].flat().join(', ');
  }
  return headers;
};

/** Makes what adds the headers of its deprecation to a response of the operation; undefined where there are none. */
export const deprecationMarker = (
  operation: Operation,
): ((response: HttpResponse) => HttpResponse) | undefined => {
  const added = deprecationHeaders(operation);
  if (Object.keys(added).length === 0) return undefined;
  return (response) => ({ ...response, headers: withHeaders(response.headers, added) });
};

/** Makes a writer of errors that adds the headers of the operation's deprecation; the same writer where there are none. */
export const markedErrors = (operation: Operation, writeError: WriteError): WriteError => {
  const mark = deprecationMarker(operation);
  return mark === undefined ? writeError : (...failure) => mark(writeError(...failure));
};
