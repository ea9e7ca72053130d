/** What one request says, as values; and the request itself, as it is sent. */

import type { MediaType, Operation, ParameterLocation } from '../../../engine';

/** Values of parameters, by location and name. */
export type ParameterValues = Readonly<
  Record<ParameterLocation, Readonly<Record<string, unknown>>>
>;

export interface BodyCase {
  readonly content: MediaType;
  /** The media type that is sent, no range. */
  readonly mediaType: string;
  readonly value: unknown;
}

/** One request for an operation. */
export interface RequestCase {
  readonly operation: Operation;
  readonly parameters: ParameterValues;
  readonly body: BodyCase | undefined;
}

/** A request as it is sent. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, relative to the base URL. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

/** The same request with another header of that name. */
export const withHeader = (request: HttpRequest, name: string, value: string): HttpRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    [name, value],
  ],
});
