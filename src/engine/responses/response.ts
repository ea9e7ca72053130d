/** One declared response, compiled: negotiates, checks and writes it (OAS 3.0.3, Response Object). */

import type { MediaType, ResolvedResponse } from '../document/model/operation';
import { noHeaders } from '../http/http-error';
import { concreteMediaType, negotiator } from '../http/media-type';
import type { HttpResponse } from '../http/send';
import { isShared, type ResponseHeaders, sharedHeaders } from '../http/shared-headers';
import { lazy } from '../lang/lazy';
import { codecFor, isCarried } from '../media-types/codecs';
import { jsonCodec } from '../media-types/json/json';
import { bodyWriter, type WriteBody } from './body-writer';
import type { ResponseContext } from './response-check';
import { headersWriter, type WriteHeaders } from './response-headers';

/** The response of a handler, or of an error. */
export interface HandlerResponse {
  readonly status: number;
  /** A value, what `serialized` made of one, or Pages of either where the schema says array. */
  readonly body?: unknown;
  /** Instead of `body`: what goes out as it is, unchecked, in a format that we do not write. */
  readonly serialized?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** An entry of the Content map and the media type that is sent for it. */
export interface Representation {
  /** No range. */
  readonly mediaType: string;
  readonly content: MediaType;
}

/** One declared response. */
export interface CompiledResponse {
  /** Those that it can be sent in, our preference first. */
  readonly mediaTypes: readonly string[];
  /** Whether the Accept header can be met; always so where no content is declared. */
  acceptable(accept: string | undefined): boolean;
  /** The media type that answers such an Accept header and its entry; undefined where there is no content to send. */
  offerFor(accept: string | undefined): Representation | undefined;
  /**
   * Writes it in the media type that Accept prefers; where none is acceptable, in the first.
   * @throws Error where the response is not what the document declares
   */
  write(given: HandlerResponse, accept: string | undefined): HttpResponse;
}

/** XML and text travel as UTF-8 and say so; JSON has no charset parameter (RFC 8259 section 11). */
const withCharset = (mediaType: string): string =>
  /^text\/|[/+]xml\s*(;|$)/i.test(mediaType) && !/;\s*charset=/i.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType;

/** Our preference where the caller has none: JSON is what everybody reads, otherwise the document's order. */
const jsonFirst = (one: string, other: string): number =>
  Number(codecFor(other) === jsonCodec) - Number(codecFor(one) === jsonCodec);

/** How the bodies of one media type are written. */
interface Writing {
  readonly offer: Representation;
  /** The headers of a response, and what is said of every such body. */
  headersWith(headers: NonNullable<HandlerResponse['headers']>): ResponseHeaders;
  /** Compiles the writer at the first call. */
  write(): WriteBody;
}

/** Writes the headers of responses behind those that all have; of shared ones once. */
const headersBehind = (
  common: Readonly<Record<string, string>>,
  write: WriteHeaders,
): Writing['headersWith'] => {
  const known = new WeakMap<object, ResponseHeaders>();
  return (headers) => {
    const found = known.get(headers);
    if (found !== undefined) return found;
    const written = { ...common, ...write(headers) };
    if (!isShared(headers)) return written;
    const shared = sharedHeaders(written);
    known.set(headers, shared);
    return shared;
  };
};

const writingOf = (
  offer: Representation,
  vary: Readonly<Record<string, string>>,
  tools: ResponseContext,
  writeHeaders: WriteHeaders,
): Writing => {
  const common = { 'Content-Type': withCharset(offer.mediaType), ...vary };
  return {
    offer,
    headersWith: headersBehind(common, writeHeaders),
    write: lazy(() => bodyWriter(offer.mediaType, offer.content, tools)),
  };
};

/** Compiles one response; its writers come to be at their first use. */
export const compileResponse = (
  record: ResolvedResponse,
  tools: ResponseContext,
): CompiledResponse => {
  const offers = record.content
    .map((content): Representation => ({ mediaType: concreteMediaType(content.key), content }))
    .filter(({ mediaType, content }) => isCarried(mediaType, content.schema, tools.shapeOf));
  const names = offers.map(({ mediaType }) => mediaType).sort(jsonFirst);
  const negotiate = negotiator(names);
  const vary = names.length > 1 ? { Vary: 'Accept' } : {};
  const writeHeaders = headersWriter(record.headers, tools);
  const bareHeaders = headersBehind({}, writeHeaders);
  const writings = new Map(
    offers.map((offer) => [offer.mediaType, writingOf(offer, vary, tools, writeHeaders)] as const),
  );
  const writingFor = (accept: string | undefined): Writing | undefined =>
    writings.get(negotiate(accept) ?? names[0] ?? '');
  return {
    mediaTypes: names,
    acceptable: (accept) => record.content.length === 0 || negotiate(accept) !== undefined,
    offerFor: (accept) => writingFor(accept)?.offer,
    write({ status, body, serialized, headers = noHeaders }, accept) {
      const writing = writingFor(accept);
      if (writing === undefined) {
        return { status, headers: bareHeaders(headers), body: undefined };
      }
      return {
        status,
        headers: writing.headersWith(headers),
        body: serialized ?? writing.write()(body),
      };
    },
  };
};
