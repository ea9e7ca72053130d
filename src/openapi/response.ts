/** One declared response, compiled: negotiates, checks and writes an answer (OAS 3.0.3, Response Object). */

import { validateHeaderValue } from 'node:http';
import { codecFor } from '../codecs/codecs';
import { jsonCodec } from '../codecs/json';
import type { Schema, ShapeOf } from '../codecs/shape';
import { concreteMediaType, negotiate } from '../http/media-type';
import type { Answer } from '../http/send';
import type { MediaType, Parameter, ResponseRecord } from './operation';
import { simpleLayout } from './parameters/layout';
import { writeSimple } from './parameters/simple-writer';
import { textReader } from './parameters/typed-value';
import type { Validators } from './validation/compile-validators';

/** A handler's answer, or an error's. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** What responses are compiled from. */
export interface ResponseTools {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
  /** Whether each answer is checked before it is sent. */
  readonly validateResponses: boolean;
}

/** One declared response. */
export interface CompiledResponse {
  /** Whether the Accept header can be met; always so for a response without content. */
  acceptable(accept: string | undefined): boolean;
  /**
   * Writes the answer in the media type that Accept prefers; where none is acceptable, in the first.
   * @throws Error where the reply is not what the document declares
   */
  write(reply: Reply, accept: string | undefined): Answer;
}

type WriteBody = (value: unknown) => string | Uint8Array;

/** A format without a codec carries text or octets as they are. */
const writeVerbatim: WriteBody = (value) => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  throw new Error('A body of this media type must be text or octets');
};

const bodyWriter = (mediaType: string, content: MediaType, tools: ResponseTools): WriteBody => {
  const codec = codecFor(mediaType);
  if (codec === undefined) return writeVerbatim;
  return codec.writer(tools.shapeOf(content.schema ?? {}), 'reply');
};

/** XML and text travel as UTF-8 and say so; JSON has no charset parameter (RFC 8259 section 11). */
const withCharset = (mediaType: string): string =>
  /^text\/|[/+]xml\s*(;|$)/i.test(mediaType) && !/;\s*charset=/i.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType;

/** Throws where a value of the reply is not what its schema says, if replies are checked at all. */
const compileCheck = (
  what: string,
  schema: Schema | undefined,
  tools: ResponseTools,
): ((value: unknown) => void) => {
  if (!tools.validateResponses || schema === undefined) return () => undefined;
  const validate = tools.validators.validatorOf(schema, 'reply');
  return (value) => {
    const [fault] = validate(value);
    if (fault !== undefined) throw new Error(`The reply's ${what}${fault.path} ${fault.message}`);
  };
};

type WriteHeaders = (
  headers: Readonly<Record<string, unknown>>,
) => Record<string, string | string[]>;

/** Values of undeclared headers: text, or a list of texts sent as repeated fields. */
const plainHeader = (value: unknown): string | string[] =>
  Array.isArray(value) ? value.map(String) : String(value);

/** A declared header in simple style (OAS 3.0.3, Header Object), checked as its reader will see it. */
const headerWriter = (header: Parameter, tools: ResponseTools): ((value: unknown) => string) => {
  const shape = tools.shapeOf(header.schema);
  const read = textReader(shape, simpleLayout(header.explode), (text) => text);
  const check = compileCheck(`header ${header.name}`, header.schema, tools);
  return (value) => {
    const text = writeSimple(value, shape, header.explode);
    check(read(text));
    return text;
  };
};

/** Declared headers are written by their schema, others as they are; names are case-insensitive (RFC 9110 section 5.1). */
const headersWriter = (declared: readonly Parameter[], tools: ResponseTools): WriteHeaders => {
  const writers = new Map(
    declared.map((header) => [header.name.toLowerCase(), headerWriter(header, tools)]),
  );
  const required = declared.filter((header) => header.required).map((header) => header.name);
  return (headers) => {
    const given = Object.entries(headers).filter(([, value]) => value !== undefined);
    const names = new Set(given.map(([name]) => name.toLowerCase()));
    const missing = required.find((name) => !names.has(name.toLowerCase()));
    if (missing !== undefined) throw new Error(`The reply lacks the header ${missing}`);
    return Object.fromEntries(
      given.map(([name, value]) => {
        const text = (writers.get(name.toLowerCase()) ?? plainHeader)(value);
        // What no header can carry must fail here, where it can still be answered and logged.
        for (const line of [text].flat()) validateHeaderValue(name, line);
        return [name, text];
      }),
    );
  };
};

/** Our preference where the caller has none: JSON is what everybody reads, otherwise the document's order. */
const jsonFirst = (one: string, other: string): number =>
  Number(codecFor(other) === jsonCodec) - Number(codecFor(one) === jsonCodec);

/** Compiles one response; its writers come to be at their first use. */
export const compileResponse = (record: ResponseRecord, tools: ResponseTools): CompiledResponse => {
  const offers = record.content.map((content) => ({
    mediaType: concreteMediaType(content.key),
    content,
  }));
  const names = offers.map(({ mediaType }) => mediaType).sort(jsonFirst);
  const bodies = new Map<string, WriteBody>();
  const writeHeaders = headersWriter(record.headers, tools);
  const bodyFor = (mediaType: string): WriteBody => {
    const known = bodies.get(mediaType);
    if (known !== undefined) return known;
    const content = offers.find((offer) => offer.mediaType === mediaType)?.content;
    if (content === undefined) throw new Error(`${mediaType} is not offered`);
    const check = compileCheck('body', content.schema, tools);
    const write = bodyWriter(mediaType, content, tools);
    const checked: WriteBody = (value) => {
      check(value);
      return write(value);
    };
    bodies.set(mediaType, checked);
    return checked;
  };
  return {
    acceptable: (accept) => names.length === 0 || negotiate(names, accept) !== undefined,
    write({ status, body, headers = {} }, accept) {
      const written = writeHeaders(headers);
      const mediaType = negotiate(names, accept) ?? names[0];
      if (mediaType === undefined) return { status, headers: written, body: undefined };
      const vary = names.length > 1 ? { Vary: 'Accept' } : {};
      return {
        status,
        headers: { 'Content-Type': withCharset(mediaType), ...vary, ...written },
        body: bodyFor(mediaType)(body),
      };
    },
  };
};
