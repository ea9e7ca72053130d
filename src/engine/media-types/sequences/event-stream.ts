/** Event streams: text/event-stream, as the HTML Standard has it (section 9.2, Server-sent events). */

import { MalformedText } from '../../../base/malformed-text';
import { memoize } from '../../../base/memoize';
import { isPlainObject } from '../../../base/plain-object';
import { HttpError } from '../../../http/http-error';
import type { MediaType } from '../../../model/operation';
import { anySchema, type Schema, withKeywords } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import { partsOf } from '../../../schema/schema-parts';
import { decodeStrictly } from '../codec/codec';
import { jsonWriter, parseJson } from '../json/json';
import type { SchemaContext } from '../schema-context';
import type { ItemLimits, ItemReader, SequenceFormat } from './sequence';

/** Tells whether a schema is that of a text that holds JSON, and is described. */
const contentOf = (schema: Schema): Schema | undefined => {
  const part = partsOf(schema).find(
    ({ contentMediaType = '', contentSchema }) =>
      contentSchema !== undefined && /^[^;]*[/+]json\s*(?:;|$)/i.test(contentMediaType),
  );
  return part?.contentSchema;
};

/**
 * Returns the schema of events as handlers give and get them: `data` that holds JSON, described by `contentSchema`, is its value
 * there. The same schema where there is no such `data`.
 */
const eventSchema = memoize(
  (schema: Schema): Schema => {
    const changes: Partial<Record<keyof Schema, unknown>> = {};
    const data = schema.properties?.get('data');
    const content = data && contentOf(data);
    if (content !== undefined) changes.properties = new Map(schema.properties).set('data', content);
    for (const keyword of ['members', 'anyOf', 'oneOf'] as const) {
      const inner = schema[keyword].map(eventSchema);
      if (inner.some((one, index) => one !== schema[keyword][index])) changes[keyword] = inner;
    }
    for (const keyword of ['if', 'ifTrue', 'ifFalse'] as const) {
      const inner = schema[keyword];
      if (inner !== undefined && eventSchema(inner) !== inner)
        changes[keyword] = eventSchema(inner);
    }
    return Object.keys(changes).length === 0
      ? schema
      : withKeywords(schema, { ...(changes as Partial<Schema>), component: undefined });
  },
  { max: Number.POSITIVE_INFINITY },
);

/** Lists the schemas that `data` may have. */
const dataSchemas = (schema: Schema): readonly Schema[] => {
  const { members, anyOf, oneOf, if: condition, ifTrue, ifFalse } = schema;
  const inner = [...members, ...anyOf, ...oneOf, condition, ifTrue, ifFalse];
  const own = schema.properties?.get('data');
  return [own, ...inner.flatMap((one) => one && dataSchemas(one))].filter(
    (one) => one !== undefined,
  );
};

/** An event, its fields as the stream has them. */
interface EventFields {
  data?: string;
  event?: string;
  id?: string;
  retry?: number;
}

/** Takes a field of an event; tells whether it is one of those that are not ignored. */
const takeField = (fields: EventFields, name: string, value: string): boolean => {
  switch (name) {
    case 'data':
      fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
      return true;
    case 'event':
      fields.event = value;
      return true;
    case 'id':
      if (!value.includes('\0')) fields.id = value;
      return true;
    case 'retry':
      if (/^\d+$/.test(value)) fields.retry = Number(value);
      return true;
    default:
      return false;
  }
};

const [LF, CR, COLON] = [0x0a, 0x0d, 0x3a];
const lineEnd = /[\r\n]/;

/** Reads the events of a stream from its bytes. */
class EventReader implements ItemReader {
  readonly #most: number;
  readonly #typed: (fields: EventFields) => unknown;
  /** Of the line that has begun; those of a comment are dropped. */
  #line: Uint8Array[] = [];
  #lineBytes = 0;
  #isComment = false;
  #isFirstLine = true;
  #isAfterReturn = false;
  #fields: EventFields = {};
  #eventBytes = 0;

  constructor({ itemBytes }: ItemLimits, typed: (fields: EventFields) => unknown) {
    this.#most = itemBytes;
    this.#typed = typed;
  }

  get pendingBytes(): number {
    return this.#lineBytes + this.#eventBytes;
  }

  *read(bytes: Uint8Array): Generator<unknown> {
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte !== LF && byte !== CR) {
        this.#isAfterReturn = false;
        continue;
      }
      const isSecond = byte === LF && this.#isAfterReturn;
      this.#isAfterReturn = byte === CR;
      if (!isSecond) {
        this.#keep(bytes.subarray(start, at));
        yield* this.#endLine();
      }
      start = at + 1;
    }
    this.#keep(bytes.subarray(start));
  }

  /** Yields nothing: an event that no blank line ends is dropped (HTML Standard, section 9.2.6). */
  end(): Iterable<unknown> {
    return [];
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#lineBytes === 0) this.#isComment = bytes[0] === COLON;
    if (this.#isComment) {
      this.#lineBytes = 1;
      return;
    }
    this.#lineBytes += bytes.length;
    if (this.pendingBytes > this.#most) {
      throw new HttpError(413, 'body-too-large', `An event is larger than ${this.#most} bytes`);
    }
    this.#line.push(bytes);
  }

  *#endLine(): Generator<unknown> {
    const size = this.#lineBytes;
    const bytes = Buffer.concat(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    // A byte-order mark is not part of the first line; the decoder drops one at the beginning of any.
    const text = decodeStrictly(bytes, 'utf-8');
    const isBlank = size === 0 || (this.#isFirstLine && text === '');
    this.#isFirstLine = false;
    if (!isBlank) {
      if (!this.#isComment) this.#takeField(text, size);
      return;
    }
    const fields = this.#fields;
    this.#fields = {};
    this.#eventBytes = 0;
    if (fields.data !== undefined) yield this.#typed(fields);
  }

  #takeField(line: string, size: number): void {
    const [name = '', rest = ''] = line.split(/:(.*)/s, 2);
    if (takeField(this.#fields, name, rest.replace(/^ /, ''))) this.#eventBytes += size;
  }
}

/** Parses the text of `data`; an error is at its place. */
const parseData = (text: string, { values }: ItemLimits): unknown => {
  try {
    return parseJson(text, values);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new MalformedText(error.message, `/data${error.path}`);
  }
};

/** Makes the function that gives `data` its value where it holds JSON. */
const compileTyped = (
  { itemSchema = anySchema }: MediaType,
  limits: ItemLimits,
  tools: SchemaContext,
) => {
  const described = dataSchemas(itemSchema);
  const schema = eventSchema(itemSchema);
  const coerce = compileCoercion(tools.shapeOf(schema), 'request');
  if (schema === itemSchema) return coerce;
  const parsed = (fields: EventFields) =>
    coerce({ ...fields, data: parseData(fields.data ?? '', limits) });
  if (described.every(contentOf)) return parsed;
  const accepts = tools.validators.accepts(schema, 'request');
  // Some events hold JSON, and others text: the schema tells by the other fields.
  return (fields: EventFields): unknown => {
    try {
      const value = parsed(fields);
      if (accepts(value)) return value;
    } catch (error) {
      if (!(error instanceof MalformedText)) throw error;
    }
    return coerce(fields);
  };
};

/** Returns a field that takes one line. */
const oneLine = (event: object, name: string): string => {
  const value: unknown = Reflect.get(event, name);
  if (value === undefined) return '';
  const text = String(value);
  if (!lineEnd.test(text) && !(name === 'id' && text.includes('\0'))) return `${name}: ${text}\n`;
  throw new Error(`The field ${name} of an event must be one line`);
};

/** Makes the function that writes `data` as text. */
const compileData = ({ itemSchema = anySchema }: MediaType, tools: SchemaContext) => {
  const ways = dataSchemas(itemSchema).map((schema) => {
    const content = contentOf(schema);
    const write = content && jsonWriter(tools.shapeOf(content), 'response');
    const accepts = tools.validators.accepts(content ?? schema, 'response');
    return { accepts, write };
  });
  return (data: unknown): string => {
    const write = (ways.length === 1 ? ways[0] : ways.find(({ accepts }) => accepts(data)))?.write;
    if (write !== undefined) return write(data);
    if (typeof data === 'string') return data;
    throw new Error('The field data of an event must be text, or be described by contentSchema');
  };
};

/** Event streams. An event without `data` is none; of the stream's end only that is taken which a blank line has ended. */
export const eventStream: SequenceFormat = {
  name: 'event-stream',
  itemSchema: eventSchema,
  compileReader(content, limits, tools) {
    const typed = compileTyped(content, limits, tools);
    return () => new EventReader(limits, typed);
  },
  compileWriter(content, tools) {
    const writeData = compileData(content, tools);
    const write = (event: unknown): string => {
      if (!isPlainObject(event)) throw new Error('An event must be an object');
      const { data } = event;
      const lines = data === undefined ? [] : writeData(data).split(/\r\n|\r|\n/);
      const fields = ['id', 'event', 'retry'].map((name) => oneLine(event, name)).join('');
      return `${fields}${lines.map((line) => `data: ${line}\n`).join('')}\n`;
    };
    return () => ({
      open: '',
      write,
      close: '',
      heartbeat: ':\n\n',
      failure: 'event: error\ndata: The server failed, and sends no more events\n\n',
    });
  },
};
