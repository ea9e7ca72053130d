/** The media types that a response is offered in: the keys of its Content map, and those within keys that are ranges. */

import {
  concreteMediaType,
  isRange,
  mediaTypeMatcher,
  negotiator,
  parseMediaType,
} from '../../base/media-type';
import { memoize } from '../../base/memoize';
import { isContentless, type MediaType, type Response } from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import { codecKind, plainTextCodec, standInOf } from '../media-types/codecs';
import { jsonCodec } from '../media-types/json/json';
import { isPositional } from '../media-types/sequences/multipart-sequence';
import { itemsOf } from '../media-types/sequences/sequence-formats';
import type { ResponseTools } from './response-headers';

/** An entry of the Content map and the media type that is sent for it. */
export interface Representation {
  /** No range. */
  readonly mediaType: string;
  readonly content: MediaType;
}

/**
 * Lists the offers of a response; entries of its Content map that cannot be written are left out.
 * @example const offer = responseOffers(response, tools).offerFor(request.client.headers.accept);
 */
export const responseOffers = (
  { key: status, content }: Pick<Response, 'key' | 'content'>,
  { codecs, shapeOf }: Pick<ResponseTools, 'codecs' | 'shapeOf'>,
) => {
  const declared = isContentless(status) ? [] : content;
  const isWritable = (content: MediaType, key: string): boolean =>
    itemsOf({ ...content, key }) !== undefined ||
    isPositional({ ...content, key }, shapeOf) ||
    codecs.isCarried(key, content.schema, shapeOf);
  const kindIn = ({ schema = anySchema }: MediaType, value?: unknown) =>
    codecKind(shapeOf(schema), value);
  const offered = declared
    .map((content) => ({ content, standIn: standInOf(content, shapeOf) }))
    .filter(({ content, standIn }) => isWritable(content, standIn));
  const isJson = (mediaType: string) => Number(codecs.codecFor(mediaType) === jsonCodec);
  const byName = new Map(
    offered
      .sort((one, other) => isJson(other.standIn) - isJson(one.standIn))
      .map(({ content, standIn }) => [isRange(content.key) ? content.key : standIn, content]),
  );
  const match = mediaTypeMatcher([...byName.values()]);
  const matching = memoize(
    (name: string): MediaType | undefined => {
      const type = parseMediaType(name);
      return type && match(type);
    },
    { max: 100 },
  );
  const contentAt = (name: string) => byName.get(name) ?? matching(name);
  const names = [...byName.keys()];
  const negotiate = negotiator(names, (named) => {
    const content = contentAt(named);
    if (content === undefined || !isRange(content.key)) return false;
    return isWritable(content, concreteMediaType(named, kindIn(content)));
  });
  /** Octets are no text, and what has structure is neither plain text nor octets. */
  const suits = (mediaType: string, kind: ReturnType<typeof codecKind>): boolean => {
    const codec = codecs.codecFor(mediaType);
    if (kind === 'bytes' || kind === 'sample') return codec === undefined;
    return kind !== 'object' || (codec !== undefined && codec !== plainTextCodec);
  };
  const offerAs = memoize((content: MediaType) =>
    memoize((mediaType: string): Representation => ({ mediaType, content }), { max: 100 }),
  );
  /** Chooses the media type of a value within a range. */
  const offerWithin = (content: MediaType, name: string, value: unknown): Representation => {
    const kind = kindIn(content, value);
    if (!isRange(name) && suits(name, kind)) return offerAs(content)(name);
    const mediaType = concreteMediaType(isRange(name) ? name : content.key, kind);
    return offerAs(contentAt(mediaType) ?? content)(mediaType);
  };
  return {
    /** The keys, our preference first: JSON, then the document's order. */
    names,
    /** Tells whether the Accept header can be met; true if no content is declared. */
    acceptable: (accept: string | undefined) =>
      declared.length === 0 || negotiate(accept) !== undefined,
    /**
     * Returns the one that Accept prefers, or our own preference if none is acceptable; undefined if there is none.
     * @param value to send; undefined where there is none yet
     */
    offerFor(accept: string | undefined, value?: unknown): Representation | undefined {
      const name = negotiate(accept) ?? names[0] ?? '';
      const content = contentAt(name);
      if (content === undefined) return undefined;
      return isRange(content.key) ? offerWithin(content, name, value) : offerAs(content)(name);
    },
    /** Returns the one that a handler says by its Content-Type; undefined if it says none that is declared. */
    offerOf(mediaType: string | undefined): Representation | undefined {
      const content = mediaType ? contentAt(mediaType) : undefined;
      return content && mediaType ? offerAs(content)(mediaType) : undefined;
    },
  };
};

/** Makes a response that no document declares, in media types and ranges. */
export const responseOf = (keys: readonly string[], schema?: Schema): Response => ({
  pointer: '',
  key: 'default',
  description: '',
  headers: [],
  links: [],
  content: keys.map((key) => ({
    pointer: '',
    key,
    schema,
    itemSchema: undefined,
    encoding: {},
    prefixEncoding: [],
    itemEncoding: undefined,
    examples: [],
  })),
});
