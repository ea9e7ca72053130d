/**
 * The responses of an operation, compiled: each status finds the one that declares it, which is negotiated, checked and written
 * (OAS 3.0.3, Responses Object).
 */

import { drawFrom, ownFuel } from '../../base/fuel';
import { inUtf8, isRange } from '../../base/media-type';
import { lazy, memoize } from '../../base/memoize';
import { type AllowHeaders, noHeaders } from '../../http/http-error';
import {
  type HttpResponse,
  isLiveStream,
  isShared,
  joinVary,
  type LiveStream,
  type ResponseHeaders,
  sharedHeaders,
  type TextStream,
} from '../../http/send';
import {
  isContentless,
  type MediaType,
  type Response,
  responseFinder,
  successesOf,
} from '../../model/operation';
import { anySchema } from '../../model/schema';
import { type Coerce, compileGiven } from '../../schema/coercion';
import { type Shape, shapesIn } from '../../schema/shape';
import type { Codec } from '../media-types/codec/codec';
import { findPages, jsonCodec, SerializedJson } from '../media-types/json/json';
import { isPositional, multipartSequence } from '../media-types/sequences/multipart-sequence';
import { itemsOf } from '../media-types/sequences/sequence-formats';
import { entityTags } from './conditions';
import { isItems, itemStream } from './item-stream';
import { collectedList, listStream, type WritePages } from './list-stream';
import { type Representation, responseOf, responseOffers } from './offers';
import {
  compileCheck,
  type HeaderCheck,
  headersWriter,
  type ResponseTools,
  type WriteHeaders,
} from './response-headers';

/** The response of a handler, or of an error. */
export interface HandlerResponse {
  readonly status: number;
  /** A value, its `serialized` text, or for an array Pages of either. */
  readonly body?: unknown;
  /** Instead of `body`: text or bytes that are sent as they are, unchecked. */
  readonly serialized?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Writes a body; throws if the value is not as the document declares. */
export type WriteBody = (value: unknown) => string | Uint8Array | TextStream | LiveStream;

/** Writes a value; the index is that of an item in its list. */
type WriteValue<Written> = (value: unknown, index?: number) => Written;

/** Writes text or bytes as they are, in a format without a codec. */
const writeVerbatim = (value: unknown): string | Uint8Array => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  throw new Error('A body of this media type must be text or bytes');
};

/** Tells whether the writer of the format would write a serialized text of the shape as it is. */
const isVerbatimIn = (codec: Codec | undefined, shape: Shape | undefined): (() => boolean) =>
  lazy(
    () =>
      codec === jsonCodec &&
      shape !== undefined &&
      // Responses leave such properties out.
      !shapesIn(shape).some(({ writeOnly }) => writeOnly),
  );

/** @param check undefined if nothing is checked */
const valueWriter = <Written>(
  shape: Shape | undefined,
  codec: Codec | undefined,
  write: (value: unknown) => Written,
  check: HeaderCheck | undefined,
): WriteValue<Written | string> => {
  const exact: Coerce = shape ? compileGiven(shape) : (value) => value;
  const checked: WriteValue<Written> = (value, index) =>
    drawFrom(ownFuel(), () => {
      const sent = exact(value);
      check?.(sent, index);
      return write(sent);
    });
  const isVerbatim = isVerbatimIn(codec, shape);
  return (value, index) => {
    if (!(value instanceof SerializedJson)) return checked(value, index);
    if (value.shape !== shape || !isVerbatim()) return checked(value.read(), index);
    check?.(exact(value.read()), index);
    return value.text;
  };
};

/** Compiles the writer of lists: chunk by chunk if the format can, and nothing is to be checked of the list as a whole. */
const listWriter = (
  codec: Codec,
  shape: Shape,
  check: HeaderCheck | undefined,
  tools: ResponseTools,
): WritePages => {
  const list = codec.listWriter?.(shape, 'response');
  if (list === undefined || (check !== undefined && shape.onlyItems === undefined)) {
    return collectedList(valueWriter(shape, codec, codec.writer(shape, 'response'), check));
  }
  const checkItem = check && compileCheck('body', shape.onlyItems, tools);
  const isVerbatim = isVerbatimIn(codec, shape.items);
  return listStream(list, valueWriter(shape.items, codec, list.item, checkItem), (items) =>
    checkItem === undefined && items.shape === shape.items && isVerbatim()
      ? items.texts
      : undefined,
  );
};

/** Compiles the writer of items, each of which is checked; undefined where the content is written as a whole. */
const itemsWriter = (content: MediaType, tools: ResponseTools): WriteBody | undefined => {
  const items = itemsOf(content);
  if (items === undefined) return undefined;
  const { format, schema } = items;
  const writer = format.compileWriter(content, tools);
  const checkItem = compileCheck('item ', schema, { ...tools, validateResponses: true });
  const exact = lazy(() => compileGiven(tools.shapeOf(schema)));
  const check = (item: unknown, index: number): unknown =>
    drawFrom(ownFuel(), () => {
      const sent = exact()(item);
      checkItem?.(sent, index);
      return sent;
    });
  return (value) => {
    if (!isItems(value)) throw new Error('A body of this media type must be an iterable of items');
    return itemStream(value, writer(), check, tools.stopping);
  };
};

const partsWriter = (
  content: MediaType,
  check: HeaderCheck | undefined,
  tools: ResponseTools,
): WriteBody => {
  const writer = multipartSequence.compileWriter(content, tools);
  const exact = compileGiven(tools.shapeOf(content.schema ?? anySchema));
  return (value) => {
    const parts = drawFrom(ownFuel(), () => exact(value));
    if (!Array.isArray(parts)) throw new Error('A body of this media type must be a list of parts');
    drawFrom(ownFuel(), () => check?.(parts));
    return itemStream(parts, writer(), (part) => part);
  };
};

/** Compiles the writer of a body; bytes are bytes, whatever the media type (OAS 3.0.4, Working with Binary Data). */
export const bodyWriter = (
  mediaType: string,
  content: MediaType,
  tools: ResponseTools,
): WriteBody => {
  const writeItems = itemsWriter(content, tools);
  if (writeItems !== undefined) return writeItems;
  const { schema } = content;
  const shape = tools.shapeOf(schema ?? anySchema);
  const codec = tools.codecs.contentCodec(mediaType, shape);
  const check = compileCheck('body', schema, tools);
  if (isPositional(content, tools.shapeOf)) return partsWriter(content, check, tools);
  const write = codec?.writer(shape, 'response', content.encoding) ?? writeVerbatim;
  const writeValue = valueWriter(shape, codec, write, check);
  const writeList = lazy(() => {
    if (codec === undefined) throw new Error('A list has no text in this media type');
    return listWriter(codec, shape, check, tools);
  });
  return (value) => {
    const pages = findPages(value);
    return pages === undefined ? writeValue(value) : writeList()(pages);
  };
};

/** Adds the charset UTF-8 to XML and text; JSON has no charset parameter (RFC 8259 section 11). */
const withCharset = (mediaType: string): string =>
  /^text\/|[/+]xml\s*(;|$)/i.test(mediaType) && !/;\s*charset=/i.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType;

type GivenHeaders = NonNullable<HandlerResponse['headers']>;

/** Makes the writer of headers behind those that all responses have; shared ones are written once. */
const headersBehind = (common: Readonly<Record<string, string>>, write: WriteHeaders) => {
  const writeBehind = (headers: GivenHeaders) => {
    const own = write(headers);
    if (own['Vary'] !== undefined) own['Vary'] = joinVary(common['Vary'] ?? [], own['Vary']);
    return { ...common, ...own };
  };
  const writeShared = memoize((headers: GivenHeaders) => sharedHeaders(writeBehind(headers)));
  return (headers: GivenHeaders): ResponseHeaders =>
    isShared(headers) ? writeShared(headers) : writeBehind(headers);
};

/** Takes the Content-Type out of a handler's headers, whose names are case-insensitive (RFC 9110 section 5.1). */
const contentTypeIn = (headers: GivenHeaders) => {
  const name = isShared(headers)
    ? undefined
    : Object.keys(headers).find((key) => /^content-type$/i.test(key));
  if (name === undefined) return { named: undefined, others: headers };
  const { [name]: named, ...others } = headers;
  return { named: named === undefined ? named : String(named), others };
};

/** Returns the Content-Type to send: octets have the charset that they have, and texts are in UTF-8. */
const contentTypeOf = (
  sent: HttpResponse['body'],
  named: string | undefined,
  mediaType: string,
  usual: string,
): string => {
  if (typeof sent === 'string' && named === undefined) return usual;
  if (sent instanceof Uint8Array) return named ?? withCharset(mediaType);
  const ofParts = isLiveStream(sent) ? sent.contentType : undefined;
  return ofParts ?? withCharset(inUtf8(named ?? mediaType));
};

/**
 * Compiles one response; its writers are compiled at their first use.
 * @param isTagged true where a body gets an entity tag, unless the handler gives one
 * @example const { headers, body } = compileResponse(response, tools).write({ status: 200, body: item }, accept);
 */
export const compileResponse = (record: Response, tools: ResponseTools, isTagged = false) => {
  const { names, acceptable, offerFor, offerOf } = responseOffers(record, tools);
  const vary = names.length > 1 || names.some(isRange) ? { Vary: 'Accept' } : {};
  const writeHeaders = headersWriter(record.headers, tools, isTagged ? 'etag' : undefined);
  const bareHeaders = headersBehind({}, writeHeaders);
  // A tagged one is kept by the caller alone, who asks each time whether it is current (RFC 9111 section 5.2.2).
  const always = isTagged ? { ...vary, 'Cache-Control': 'private, no-cache' } : vary;
  const writingOf = memoize(({ mediaType, content }: Representation) => {
    const contentType = withCharset(inUtf8(mediaType));
    return {
      contentType,
      headersWith: headersBehind({ 'Content-Type': contentType, ...always }, writeHeaders),
      tagOf: entityTags(mediaType),
      writer: lazy(() => bodyWriter(mediaType, { ...content, key: mediaType }, tools)),
    };
  });
  return {
    /** The media types and ranges that it can be sent in, our preference first. */
    mediaTypes: names,
    acceptable,
    /** Returns the media type for an Accept header and its entry, by the schema; undefined if there is no content to send. */
    offerFor: (accept: string | undefined) => offerFor(accept),
    /** Compiles its writers before they are needed. Throws if a schema cannot be used. */
    prepare(): void {
      for (const name of names) {
        const offer = offerFor(name);
        if (offer !== undefined) writingOf(offer).writer();
      }
    },
    /**
     * Writes it in the declared media type that its Content-Type says, else that Accept prefers; in the first if none is acceptable.
     * @throws Error if the response is not as the document declares
     */
    write(given: HandlerResponse, accept: string | undefined): HttpResponse {
      const { status, body, serialized, headers = noHeaders } = given;
      const { named, others } = contentTypeIn(headers);
      const offer = isContentless(status)
        ? undefined
        : (offerOf(named) ?? offerFor(accept, body ?? serialized));
      if (offer === undefined) return { status, headers: bareHeaders(headers), body: undefined };
      const { writer, headersWith, contentType, tagOf } = writingOf(offer);
      const sent = serialized ?? writer()(body);
      const type = contentTypeOf(sent, named, offer.mediaType, contentType);
      const typed = type === contentType ? others : { ...others, 'Content-Type': type };
      const head = headersWith(typed);
      const tag = isTagged && !('ETag' in head) ? tagOf(given, sent) : undefined;
      return {
        status,
        headers: tag === undefined ? head : { ...head, ETag: tag },
        body: sent,
      };
    },
  };
};

/** One declared response. */
type CompiledResponse = ReturnType<typeof compileResponse>;

/**
 * Compiles the responses of an operation; each one at its first use.
 * @param allowed the headers of a 405
 * @param tagged those that get an entity tag
 */
export const compileResponses = (
  responses: readonly Response[],
  tools: ResponseTools,
  allowed: AllowHeaders,
  tagged: ReadonlySet<Response>,
) => {
  const compile = memoize((record: Response) => compileResponse(record, tools, tagged.has(record)));
  const recordOf = responseFinder(responses);
  const successResponses = lazy(() => successesOf(responses).map(compile));
  // Only the check of responses refuses a status that is not declared.
  const undeclared = lazy((): CompiledResponse => {
    const none = compileResponse(responseOf([]), tools);
    const any = compileResponse(responseOf(['*/*']), tools);
    const write: CompiledResponse['write'] = (given, accept) =>
      ((given.body ?? given.serialized) === undefined ? none : any).write(given, accept);
    return { ...any, write };
  });
  // A handler gives few statuses, and each of them many times.
  const find = memoize(
    (status: number): CompiledResponse | undefined => {
      const record = recordOf(status);
      const other = tools.validateResponses ? undefined : undeclared();
      const found = record === undefined ? other : compile(record);
      if (found === undefined || status !== 405) return found;
      const { write, ...response } = found;
      return {
        ...response,
        write: (given, accept) =>
          write({ ...given, headers: { ...allowed, ...given.headers } }, accept),
      };
    },
    { max: 100 },
  );
  return {
    /**
     * Finds the response that declares the status: the exact code, else the range, else default. If none does, it is undefined where
     * responses are checked, else one for any value.
     */
    find,
    all: () => responses.map((record) => compile(record)),
    /** Tells whether a success can be answered in a media type that the Accept header allows. */
    acceptable(accept: string | undefined): boolean {
      const known = successResponses();
      return known.length === 0 || known.some((response) => response.acceptable(accept));
    },
    /** The media types that a success can be answered in, our preference first. */
    get mediaTypes() {
      return [...new Set(successResponses().flatMap(({ mediaTypes }) => mediaTypes))];
    },
  };
};
