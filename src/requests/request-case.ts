/** A request as values, and as it is sent. */

import { Readable } from 'node:stream';
import { concreteMediaType } from '../base/media-type';
import type { HttpRequest } from '../http/request';
import type { MediaType, Operation, ParameterLocation } from '../model/operation';

/** Values of parameters, by location and name. */
export type CaseParameters = Readonly<Record<ParameterLocation, Readonly<Record<string, unknown>>>>;

export interface BodyCase {
  readonly content: MediaType;
  /** The media type that is sent, no range. */
  readonly mediaType: string;
  readonly value: unknown;
}

/** One request for an operation. */
export interface RequestCase {
  readonly operation: Operation;
  readonly parameters: CaseParameters;
  readonly body: BodyCase | undefined;
}

/** A request as it is sent. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path and query, relative to the base URL. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

/** The same request with another header of that name. */
export const withHeader = (
  request: OutgoingRequest,
  name: string,
  value: string,
): OutgoingRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    [name, value],
  ],
});

const declaredTypes = ({ responses }: Operation, keys: RegExp): string[] => [
  ...new Set(
    responses
      .filter(({ key }) => keys.test(key))
      .flatMap(({ content }) => content.map(({ key }) => key))
      .filter((key) => concreteMediaType(key) === key),
  ),
];

/** The media types that an operation declares for its successes. */
export const successTypes = (operation: Operation): string[] =>
  declaredTypes(operation, /^2|^default$/);

/** The media types that an operation declares for refusals. */
export const errorTypes = (operation: Operation): string[] =>
  declaredTypes(operation, /^4|^default$/);

/** Makes the change by which a request asks for a media type; undefined changes nothing. */
export const accepting =
  (accept: string | undefined) =>
  (request: OutgoingRequest): OutgoingRequest =>
    accept === undefined ? request : withHeader(request, 'Accept', accept);

/** Gives a request as a service of this process receives it. */
export const receivedRequest = (
  { method, target, headers, body }: OutgoingRequest,
  sender: Pick<HttpRequest, 'signal' | 'client'> = {
    client: () => ({ address: '', secure: false }),
  },
): HttpRequest => ({
  method,
  target,
  headers: {
    ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    ...(body && { 'content-length': String(body.length) }),
  },
  body: Readable.from(body === undefined || body.length === 0 ? [] : [body]),
  signal: sender.signal,
  client: () => sender.client(),
});
