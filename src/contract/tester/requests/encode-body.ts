/** Writes request bodies in the media types that a document may declare. */

import { writeJson } from '../../../base/json/write-json';
import { isPlainObject } from '../../../base/plain-object';
import type { SchemaContext } from '../../../engine';
import type { MediaType } from '../../../model/operation';
import { anySchema } from '../../../model/schema';
import { writeScalar } from '../../../schema/scalars';
import type { Shape } from '../../../schema/shape';
import { boundary, listFormat, valueSchema, writeItems } from './item-contents';
import type { BodyCase } from './request-case';
import {
  type FieldEncoding,
  isStructured,
  isStyled,
  membersOf,
  textOf,
  writeField,
  writeForm,
} from './write-pairs';

/** A body and its Content-Type. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The shape of what a media type carries. */
export const shapeOfContent = (content: MediaType, tools: SchemaContext): Shape =>
  tools.shapeOf(valueSchema(content) ?? anySchema);

interface Part {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array;
  readonly isFile: boolean;
}

const partOf = (name: string, value: unknown, declared: string | undefined): Part => {
  if (value instanceof Uint8Array) {
    return { name, type: declared ?? 'application/octet-stream', content: value, isFile: true };
  }
  const type = declared ?? (isStructured(value) ? 'application/json' : 'text/plain');
  return { name, type, content: textOf(value), isFile: false };
};

/** The first concrete type of an Encoding Object's list. */
const declaredType = (contentType: unknown): string | undefined =>
  typeof contentType === 'string'
    ? contentType
        .split(',')
        .map((type) => type.trim())
        .find((type) => !type.includes('*'))
    : undefined;

/** One part for each pair in a style, which is not percent-encoded here; else for each property, or item of a list. */
const partsOf = (name: string, member: unknown, encoding: FieldEncoding): Part[] => {
  const items = Array.isArray(member) ? member : [member];
  if (isStyled(encoding) && !items.some((item) => item instanceof Uint8Array)) {
    return writeField(name, member, encoding).map((pair) => {
      const [key = '', text = ''] = pair.split('=').map(decodeURIComponent);
      return partOf(key, text, undefined);
    });
  }
  return items.map((item) => partOf(name, item, declaredType(encoding?.contentType)));
};

/** Writes a form in parts; undefined where one of them would have parts of its own (OAS 3.2.0, Encoding Object). */
const writeMultipart = ({ value, content, mediaType }: BodyCase): EncodedBody | undefined => {
  if (!isPlainObject(value)) return undefined;
  const { encoding } = content;
  const parts = membersOf(value).flatMap(([name, member]) => partsOf(name, member, encoding[name]));
  if (parts.some(({ type }) => type.startsWith('multipart/'))) return undefined;
  const chunks = parts.flatMap(({ name, type, content, isFile }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"${isFile ? '; filename="file.bin"' : ''}\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { bytes, contentType: `${mediaType}; boundary=${boundary}` };
};

const writeVerbatim = (value: unknown): Uint8Array | undefined => {
  if (value instanceof Uint8Array) return value;
  return isStructured(value) ? undefined : Buffer.from(writeScalar(value));
};

/** Writes a body; undefined where the media type cannot carry the value. */
export const encodeBody = (body: BodyCase, tools: SchemaContext): EncodedBody | undefined => {
  const { content, mediaType, value } = body;
  const format = listFormat(content, tools);
  if (format !== undefined) return writeItems(format, body, tools);
  if (mediaType.startsWith('multipart/')) return writeMultipart(body);
  const shape = shapeOfContent(content, tools);
  const codec = tools.codecs.contentCodec(mediaType, shape);
  if (codec === undefined) {
    const bytes = writeVerbatim(value);
    return bytes && { bytes, contentType: mediaType };
  }
  if (codec.name === 'json')
    return { bytes: Buffer.from(writeJson(value)), contentType: mediaType };
  if (codec.name === 'form') {
    if (!isPlainObject(value)) return undefined;
    return { bytes: Buffer.from(writeForm(value, content.encoding)), contentType: mediaType };
  }
  return { bytes: Buffer.from(codec.writer(shape, 'request')(value)), contentType: mediaType };
};
