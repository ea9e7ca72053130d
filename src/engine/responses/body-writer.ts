/** Checks and writes the body of a response: a value, its serialized text, or the pages of a list. */

import { drawFrom, ownFuel } from '../../base/fuel';
import { lazy } from '../../base/memoize';
import type { MediaType } from '../document/model/operation';
import type { TextStream } from '../http/send';
import type { Codec } from '../media-types/codec/codec';
import { isPages, isSerialized } from '../media-types/codec/serialized-json';
import { contentCodec } from '../media-types/codecs';
import { jsonCodec } from '../media-types/json/json';
import { type Shape, walkShapes } from '../schema/shape';
import { collectedList, listStream, type WritePages } from './list-stream';
import { type Check, compileCheck, type ResponseContext } from './response-headers';

/** Throws where the value is not what the document declares. */
export type WriteBody = (value: unknown) => string | Uint8Array | TextStream;

/** The index is that of an item in its list. */
type WriteValue<Written> = (value: unknown, index?: number) => Written;

interface Writing<Written> {
  readonly shape: Shape | undefined;
  readonly codec: Codec | undefined;
  readonly write: (value: unknown) => Written;
  /** Undefined where nothing is checked. */
  readonly check: Check | undefined;
}

/** A format without a codec carries text or bytes as they are. */
const writeVerbatim = (value: unknown): string | Uint8Array => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  throw new Error('A body of this media type must be text or bytes');
};

/** Whether a response leaves out properties that a serialized text has. */
const hasWriteOnly = (shape: Shape): boolean => {
  let found = false;
  walkShapes(shape, ({ writeOnly }) => {
    found ||= writeOnly;
  });
  return found;
};

/** Whether a serialized text of the shape is what the writer of the format would make of the value. */
const verbatimIn = (codec: Codec | undefined, shape: Shape | undefined): (() => boolean) =>
  lazy(() => codec === jsonCodec && shape !== undefined && !hasWriteOnly(shape));

const valueWriter = <Written>({
  shape,
  codec,
  write,
  check,
}: Writing<Written>): WriteValue<Written | string> => {
  const checked: WriteValue<Written> = (value, index) =>
    drawFrom(ownFuel(), () => {
      check?.(value, index);
      return write(value);
    });
  const isVerbatim = verbatimIn(codec, shape);
  return (value, index) => {
    if (!isSerialized(value)) return checked(value, index);
    if (value.shape !== shape || !isVerbatim()) return checked(value.read(), index);
    check?.(value.read(), index);
    return value.text;
  };
};

/** Writes lists chunk by chunk where the format can, and nothing is to be checked of the list as a whole. */
const listWriter = (
  codec: Codec,
  shape: Shape,
  check: Check | undefined,
  tools: ResponseContext,
): WritePages => {
  const list = codec.listWriter?.(shape, 'response');
  if (list === undefined || (check !== undefined && shape.onlyItems === undefined)) {
    return collectedList(
      valueWriter({ shape, codec, write: codec.writer(shape, 'response'), check }),
    );
  }
  const checkItem = check && compileCheck('body', shape.onlyItems, tools);
  const isVerbatim = verbatimIn(codec, shape.items);
  return listStream(
    list,
    valueWriter({ shape: shape.items, codec, write: list.item, check: checkItem }),
    (items) =>
      checkItem === undefined && items.shape === shape.items && isVerbatim()
        ? items.texts
        : undefined,
  );
};

/** Compiles the writer; bytes are bytes, whatever the media type (OAS 3.0.4, Working with Binary Data). */
export const bodyWriter = (
  mediaType: string,
  { schema }: MediaType,
  tools: ResponseContext,
): WriteBody => {
  const shape = tools.shapeOf(schema ?? {});
  const codec = contentCodec(mediaType, shape);
  const isChecked = tools.validateResponses && schema !== undefined;
  const check = isChecked ? compileCheck('body', schema, tools) : undefined;
  const write = codec?.writer(shape, 'response') ?? writeVerbatim;
  const writeValue = valueWriter({ shape, codec, write, check });
  const writeList = lazy(() => {
    if (codec === undefined) throw new Error('A list has no text in this media type');
    return listWriter(codec, shape, check, tools);
  });
  return (value) => (isPages(value) ? writeList()(value) : writeValue(value));
};
