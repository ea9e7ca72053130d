/** The errors whose instances become responses: a status, a stable code and a sentence for the caller. */

import { sharedHeaders } from './response-head';

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
  | 'too-many-requests'
  | 'unavailable'
  | 'declared'
  | 'not-implemented'
  | 'internal';

/** Where in the request a fault lies, and what it is. */
export interface ValidationError {
  /** The part of the request. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /** The parameter's name, or the JSON Pointer (RFC 6901) into the body; empty for the whole. */
  readonly path: string;
  /** One sentence without the refused value. */
  readonly message: string;
}

/** What may accompany an HttpError. */
export interface HttpErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly ValidationError[];
  readonly cause?: unknown;
}

/** What most failures say beside their body. */
export const noHeaders: Readonly<Record<string, string>> = sharedHeaders({});

const noFaults: readonly ValidationError[] = [];

/** An expected failure of one request. `message` reaches the caller; `cause` reaches the log alone. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ValidationError[];

  constructor(
    status: number,
    code: HttpErrorCode,
    message: string,
    options: HttpErrorOptions = {},
  ) {
    // Nothing uses the stack of a refusal, and making it takes longer than the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? noHeaders;
    this.errors = options.errors ?? noFaults;
  }
}

/** The status that Express and its middleware put on errors of the request; undefined on any other error. */
const clientStatus = (error: unknown): number | undefined => {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : Number.NaN;
  return status >= 400 && status < 500 ? status : undefined;
};

/** What an error of a lower floor says of itself where the fault passes; its message is fit for callers. */
interface PassingFailure extends Error {
  /** Undefined: asking again by itself is not a good idea. */
  readonly retryAfterSeconds: number | undefined;
}

const isPassing = (error: unknown): error is PassingFailure =>
  error instanceof Error && 'retryAfterSeconds' in error;

/** RFC 9110 section 15.6.4 */
const serviceUnavailable = (error: PassingFailure): HttpError =>
  new HttpError(503, 'unavailable', error.message, {
    cause: error.cause ?? error,
    ...(error.retryAfterSeconds !== undefined && {
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
    }),
  });

/** The error itself, a fault of the request (a malformed URL), or a fault of the server, told without detail. */
export const asHttpError = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error;
  if (isPassing(error)) return serviceUnavailable(error);
  const status = clientStatus(error);
  return status === undefined
    ? new HttpError(500, 'internal', 'The server failed to answer this request', { cause: error })
    : new HttpError(status, 'malformed-request', 'The request cannot be read');
};
