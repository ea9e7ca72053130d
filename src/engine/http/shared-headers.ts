/** The headers of responses, and the lines that they become. */

/** By their names; a list is sent as repeated fields. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

// Responses depend on who asks, and some are secrets (RFC 6749 section 5.1): no cache stores one unless it says so itself.
const nosniff = ['X-Content-Type-Options', 'nosniff'] as const;
const noStore = ['Cache-Control', 'no-store'] as const;

/** A list of names and values goes out as it is; of an object node:http would first make one. */
type HeaderLines = readonly (string | string[])[];

const linesOf = (headers: ResponseHeaders): HeaderLines => {
  const lines: (string | string[])[] = [...nosniff];
  if (!('Cache-Control' in headers)) lines.push(...noStore);
  for (const [name, value] of Object.entries(headers)) {
    lines.push(name, typeof value === 'string' ? value : [...value]);
  }
  return lines;
};

const sharedLines = new WeakMap<ResponseHeaders, HeaderLines>();

/** Makes headers that many responses have: the same object each time, so that what becomes of it is worked out once. */
export const sharedHeaders = <Headers extends ResponseHeaders>(
  headers: Headers,
): Readonly<Headers> => {
  const shared = Object.freeze({ ...headers });
  sharedLines.set(shared, linesOf(shared));
  return shared;
};

/** Whether `sharedHeaders` made the object. */
export const isShared = (headers: object): boolean => sharedLines.has(headers as ResponseHeaders);

/** The lines of a response's headers, and of those that every response has. */
export const headerLines = (headers: ResponseHeaders): HeaderLines =>
  sharedLines.get(headers) ?? linesOf(headers);
