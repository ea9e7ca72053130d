/** The errors that become responses: a status, a stable code and a sentence for the caller. */

import { type HttpResponse, sharedHeaders } from './send';

/** Stable, machine-readable kinds of failure; the `type` of every error body. */
export type HttpErrorCode =
  | 'route-not-found'
  | 'method-not-allowed'
  | 'unauthenticated'
  | 'forbidden'
  | 'unsupported-media-type'
  | 'not-acceptable'
  | 'body-too-large'
  | 'invalid-parameter'
  | 'invalid-body'
  | 'malformed-request'
  | 'precondition-failed'
  | 'precondition-required'
  | 'too-many-requests'
  | 'unavailable'
  | 'declared'
  | 'not-implemented'
  | 'internal';

/** An error and its place in the request. */
export interface ValidationError {
  /** The part of the request. */
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie' | 'body';
  /** The parameter's name, or the JSON Pointer (RFC 6901) into the body; empty for the whole. */
  readonly path: string;
  /** One sentence; of the refused value at most a short scalar of the wrong type, and no secret. */
  readonly message: string;
  /** The keyword of JSON Schema that it breaks, or `required`, `syntax`, `steps` or `depth`. */
  readonly rule?: string;
  /** The value of the keyword; left out where that is no plain one. */
  readonly allowed?: unknown;
  /** The number or the length of the value, its type, or a short scalar of the wrong type, or that an enum or const does not have; no secret. */
  readonly got?: unknown;
}

/** Makes the error of a place. Its members are written out: V8 makes a hidden class for each object with some behind a spread. */
export const errorAt = (
  place: ValidationError['in'],
  path: string,
  { message, rule, allowed, got }: Omit<ValidationError, 'in' | 'path'> & { readonly rule: string },
): ValidationError => ({
  in: place,
  path,
  message,
  rule,
  ...(allowed !== undefined && { allowed }),
  ...(got !== undefined && { got }),
});

/** The headers of most failures. */
export const noHeaders: Readonly<Record<string, string>> = sharedHeaders({});

const noErrors: readonly ValidationError[] = [];

/**
 * An expected failure of one request. `message` reaches the caller; `cause` reaches the log alone.
 * @example throw new HttpError(429, 'too-many-requests', 'Try again in a minute', { headers: { 'Retry-After': '60' } });
 */
export class HttpError extends Error {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ValidationError[];

  constructor(
    status: number,
    code: HttpErrorCode,
    message: string,
    options: Partial<Pick<HttpError, 'headers' | 'errors' | 'cause'>> = {},
  ) {
    // Nothing uses the stack of a refusal, and making it takes longer than all else.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? noHeaders;
    this.errors = options.errors ?? noErrors;
  }
}

/** Makes the same error with those of other places, too; of a place that it has an error of already none is added. */
export const withErrors = (error: HttpError, others: readonly ValidationError[]): HttpError => {
  const { status, code, message, headers, cause, errors } = error;
  const known = new Set(errors.map(({ in: place, path }) => `${place} ${path}`));
  const added = others.filter(({ in: place, path }) => !known.has(`${place} ${path}`));
  return new HttpError(status, code, message, { headers, cause, errors: [...errors, ...added] });
};

/** Leaves out the value that was sent: it may be a secret in the wrong place. */
export const withoutValue = (sentence: string): string => {
  const value = sentence.indexOf(', not ');
  return value < 0 ? sentence : sentence.slice(0, value);
};

/** Returns for logs why a request was refused: the sentence, and the first places with the rules that they break. */
export const reasonsOf = (
  { message, errors }: HttpError,
  most = errors.length,
): readonly string[] => [
  withoutValue(message),
  ...errors
    .slice(0, most)
    .map(({ in: place, path, message: rule }) => `${place} ${path} ${withoutValue(rule)}`),
];

/** Returns an error as logs may hold it: of one that is made for the caller the reasons alone, since its fields may quote values. */
export const loggedError = (error: unknown): unknown =>
  error instanceof HttpError
    ? new Error(reasonsOf(error).join(': '), { cause: error.cause })
    : error;

/** Makes a 503 (RFC 9110 section 15.6.4); Retry-After only where the seconds are given. */
export const unavailable = (message: string, seconds?: unknown, cause?: unknown): HttpError => {
  const headers = seconds === undefined ? noHeaders : { 'Retry-After': String(seconds) };
  return new HttpError(503, 'unavailable', message, { cause, headers });
};

/** Returns the error itself, or makes an error of the request (a malformed URL) or of the server, without detail, of it. */
export const asHttpError = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error;
  if (error instanceof Error && 'retryAfterSeconds' in error) {
    // Its message is fit for callers.
    return unavailable(error.message, error.retryAfterSeconds, error.cause ?? error);
  }
  // Express and its middleware put a status on errors of the request.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : Number.NaN;
  return status >= 400 && status < 500
    ? new HttpError(status, 'malformed-request', 'The request cannot be read')
    : new HttpError(500, 'internal', 'The server failed to answer this request', { cause: error });
};

/**
 * The headers that say what a path takes: Allow, which every 405 must have (RFC 9110 section 15.5.6), and Accept-Query where the path
 * has QUERY (RFC 10008 section 3).
 * @example { Allow: 'OPTIONS, QUERY', 'Accept-Query': '"application/json"' }
 */
export interface AllowHeaders extends Readonly<Record<string, string>> {
  readonly Allow: string;
}

/** Makes a 405. */
export const methodNotAllowed = (
  headers: AllowHeaders,
  message = 'The path does not have this method',
): HttpError => new HttpError(405, 'method-not-allowed', message, { headers });

/**
 * Answers OPTIONS with the methods of the path (RFC 9110 section 9.3.7).
 * @throws HttpError for any other method
 */
export const otherMethodResponse = (method: string, headers: AllowHeaders): HttpResponse => {
  if (method !== 'OPTIONS') throw methodNotAllowed(headers);
  return { status: 204, headers, body: undefined };
};
