/**
 * JSON as the engine reads and writes it: exact numbers, no repeated keys, types strict; responses without writeOnly properties. And
 * the bodies of responses that are JSON texts already, or lists that come page by page.
 */

import { NumberText } from '../../../base/decimal';
import { messageNumber, spelledNumber } from '../../../base/exact-number';
import { parseJsonStrictly } from '../../../base/json/json-parser';
import { type Member, writeJson, writeMembers, writeString } from '../../../base/json/write-json';
import { lazy, memoizePairs } from '../../../base/memoize';
import { isPlainObject } from '../../../base/plain-object';
import { type ReadLimits, readLimits } from '../../../base/read-limits';
import { compileCoercion, compileGiven, handingOver } from '../../../schema/coercion';
import {
  compileItems,
  compilePerShape,
  compileUndeclared,
  writeAlternatives,
} from '../../../schema/compile-per-shape';
import type { Direction, Shape } from '../../../schema/shape';
import type { Codec, ListWriter, Writer } from '../codec/codec';

/** Texts that JSON.parse lets through: U+0000, halves of surrogate pairs. */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|\p{Surrogate}/u;

const KEY_ENDS = /"[ \t\n\r]*:/g;

/** Parses JSON exactly; see parseJsonStrictly for what is refused. JSON.parse alone decides the common case. */
export function parseJson(text: string, limits = readLimits): unknown {
  if (limits.numberOf !== messageNumber || SUSPICIOUS.test(text)) {
    return parseJsonStrictly(text, limits);
  }
  let keyEnds = 0;
  KEY_ENDS.lastIndex = 0;
  while (KEY_ENDS.test(text)) keyEnds += 1;
  // So many keys might be of one object, and JSON.parse would read them all.
  if (keyEnds > 10 * limits.names) return parseJsonStrictly(text, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return parseJsonStrictly(text, limits);
  }
  // Each key ends by a quote and a colon. As many members as such ends: no key was given twice.
  return countMembers(value, limits) === keyEnds ? value : parseJsonStrictly(text, limits);
}

/** Ends a number that is very large or small. */
const LONG_EXPONENT = /[eE][-+]?[0-9]{3,}(?![-."\w])/;

/** Digits, and the point. */
const isOfNumber = (code: number): boolean => code >= 46 && code <= 57 && code !== 47;

/** Tells whether JSON.parse may round a number of the text. In 16 characters of a number is one of those that are looked at. */
const mayRound = (text: string): boolean => {
  for (let at = 15; at < text.length; at += 16) {
    if (!isOfNumber(text.charCodeAt(at))) continue;
    let [start, end] = [at, at + 1];
    while (isOfNumber(text.charCodeAt(start - 1))) start -= 1;
    while (isOfNumber(text.charCodeAt(end))) end += 1;
    if (end - start > 15) return true;
    at = end - 1;
  }
  return LONG_EXPONENT.test(text);
};

/** Stored values keep their names when fewer are allowed, and their numbers where other digits were: the nearest is read. */
const writtenLimits: ReadLimits = {
  ...readLimits,
  names: Number.POSITIVE_INFINITY,
  numberOf: (text) => messageNumber(text) ?? Number(text),
};

/** Parses a text of `jsonWriter` without the checks for what that never writes: a key twice, half of a surrogate pair. */
const parseWrittenJson = (text: string): unknown =>
  mayRound(text) ? parseJsonStrictly(text, writtenLimits) : JSON.parse(text);

/** Parses the same with every digit of its numbers. */
export const parseSpelledJson = (text: string): unknown =>
  parseJsonStrictly(text, { ...writtenLimits, numberOf: spelledNumber });

/** Counts the members of all objects; NaN if the value is beyond the limits, or a number is one that may have been rounded. */
function countMembers(root: unknown, limits: ReadLimits): number {
  let nodes = 1;
  const count = (value: unknown, depth: number): number => {
    if (typeof value === 'number')
      return Math.abs(value) > Number.MAX_SAFE_INTEGER ? Number.NaN : 0;
    return typeof value === 'object' && value !== null ? countInside(value, depth) : 0;
  };
  const countInside = (value: object, depth: number): number => {
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    nodes += inner.length;
    if (depth === limits.depth || nodes > limits.nodes) return Number.NaN;
    let members = inner === value ? 0 : inner.length;
    if (members > limits.names) return Number.NaN;
    for (const one of inner) members += count(one, depth + 1);
    return members;
  };
  return count(root, 0);
}

/** The treatment of properties that the schema does not declare. */
type Undeclared = 'kept' | 'dropped';

/**
 * Compiles a writer of JSON text. Properties that are undefined are left out; in a response those that are writeOnly, too.
 * Undeclared ones are kept by default; a map's (`additionalProperties` with a schema) count as declared.
 * @example const text = jsonWriter(tools.shapeOf(schema), 'response')(value);
 */
export function jsonWriter(
  shape: Shape,
  direction: Direction,
  undeclared: Undeclared = 'kept',
): Writer {
  return writerOf(direction, undeclared)(shape);
}

/** Compiles each shape once, however many operations share it. */
const writerOf = memoizePairs((direction: Direction, undeclared: Undeclared) =>
  compilePerShape<[unknown], string>((shape, compile) => {
    let write: Writer = writeJson;
    if (shape.type === 'array') write = writeItems(shape, compile);
    if (shape.type === 'object') write = writeObject(shape, compile, direction, undeclared);
    return writeAlternatives(shape, compile, write);
  }),
);

/** Compiles a writer of lists, item by item; undefined if the value may be something else than a list. */
export function jsonListWriter(shape: Shape, direction: Direction): ListWriter | undefined {
  if (shape.type !== 'array' || shape.alternatives.length + shape.prefixItems.length > 0) {
    return undefined;
  }
  const item = shape.items ? jsonWriter(shape.items, direction) : writeJson;
  return { empty: '[]', open: '[', separator: ',', close: ']', item };
}

type Compile = (shape: Shape) => Writer;

/** Tells whether JSON.stringify writes the value correctly: it knows neither bigint nor texts of numbers nor bytes. */
const isNative = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (value instanceof Uint8Array || value instanceof NumberText) return false;
  return Array.isArray(value) ? value.every(isNative) : Object.values(value).every(isNative);
};

/** Writes an undeclared value, natively if possible: an error body with a list takes 2.1 us instead of 3.2. */
const writeUndeclared: Writer = (value) =>
  typeof value === 'object' && isNative(value) ? JSON.stringify(value) : writeJson(value);

function writeItems(shape: Shape, compile: Compile): Writer {
  const writerAt = compileItems(shape, compile, writeJson);
  if (shape.prefixItems.length === 0 && writerAt(0) === writeJson) return writeJson;
  return (value) =>
    Array.isArray(value)
      ? `[${value.map((item, index) => writerAt(index)(item)).join(',')}]`
      : writeJson(value);
}

function writeObject(
  shape: Shape,
  compile: Compile,
  direction: Direction,
  undeclared: Undeclared,
): Writer {
  const isDropped = ({ writeOnly }: Shape): boolean => direction === 'response' && writeOnly;
  const members = new Map<string, Member>();
  for (const [name, property] of shape.properties) {
    const key = `${writeString(name)}:`;
    members.set(name, { key, write: compile(property), drop: isDropped(property) });
  }
  const undeclaredMember = memberOfUndeclared(shape, compile, isDropped, undeclared);
  const memberOf = (name: string) => members.get(name) ?? undeclaredMember(name);
  return (value) =>
    isPlainObject(value) ? writeMembers(value, memberOf, writeUndeclared) : writeJson(value);
}

function memberOfUndeclared(
  shape: Shape,
  compile: Compile,
  isDropped: (inner: Shape) => boolean,
  undeclared: Undeclared,
): (name: string) => Member | undefined {
  const { properties, patterned, additional } = shape;
  if (patterned !== undefined || typeof additional === 'object') {
    const memberOf = (inner: Shape) => ({ write: compile(inner), drop: isDropped(inner) });
    const found = compileUndeclared(shape, memberOf, { write: writeJson, drop: false });
    return (name) => ({ key: `${writeString(name)}:`, ...found(name) });
  }
  // An object without declared properties is free-form: all of it is meant.
  if (undeclared === 'kept' || properties.size === 0) return () => undefined;
  const dropped: Member = { key: '', write: writeJson, drop: true };
  return () => dropped;
}

/** The codec of application/json and every `+json` type (RFC 8259, RFC 6839). */
export const jsonCodec: Codec = {
  name: 'json',
  mediaTypes: ['application/json', 'text/json', '+json'],
  reader: (_shape, _direction, limits) => (text) => parseJson(text, limits),
  writer: (shape, direction) => jsonWriter(shape, direction),
  listWriter: jsonListWriter,
};

/** For the compiler alone. */
declare const typeOfValue: unique symbol;

/**
 * A value and its JSON text.
 * @example const order: SerializedJson<Order> = serialized(text); order.read().quantity
 */
export class SerializedJson<Value> {
  /** The shape that the text was written by. A response of the same shape sends the text as it is; any other writes the value. */
  readonly shape: Shape;
  readonly text: string;
  readonly #parse: (text: string) => Value;
  /** Makes the type of a serialized value distinct from that of every other. */
  declare readonly [typeOfValue]: (value: Value) => Value;

  /**
   * @param text what `jsonWriter(shape, 'storage', 'dropped')` wrote of a value that fits the shape
   * @param parse reads such a text
   */
  constructor(shape: Shape, text: string, parse: (text: string) => Value) {
    this.shape = shape;
    this.text = text;
    this.#parse = parse;
  }

  /** Reads the value itself from the text, at every call. */
  read(): Value {
    return this.#parse(this.text);
  }
}

/**
 * Values of one shape and their JSON texts, joined by commas; one at least.
 * @example const page: SerializedItems<Order> = serializedItems(texts.join()); page.read().length
 */
export class SerializedItems<Value> {
  /** The shape that each of the texts was written by. */
  readonly shape: Shape;
  readonly texts: string;
  readonly #parse: (texts: string) => Value[];
  declare readonly [typeOfValue]: (value: Value) => Value;

  /** @param parse reads such texts */
  constructor(shape: Shape, texts: string, parse: (texts: string) => Value[]) {
    this.shape = shape;
    this.texts = texts;
    this.#parse = parse;
  }

  /** Reads the values themselves from the texts, at every call. */
  read(): Value[] {
    return this.#parse(this.texts);
  }
}

/**
 * Compiles the JSON of stored values of a type: `write` keeps all that the shape declares and nothing else, `read` reads such a
 * text, `readExact` reads it for validation and indexes, to which decimals are numbers, and `readFilled` one that another shape wrote, whose absent
 * properties get their default. `serialized` and `serializedItems` mark such texts as what a response carries.
 *
 * @example
 * const { write, serialized } = storedJson<Order>(tools.shapeOf(schema));
 * return { status: 200, body: serialized(write(order)) };
 */
export const storedJson = <Value>(shape: Shape) => {
  const [coerce, given] = [compileCoercion(shape, 'storage'), compileGiven(shape)];
  const fill = lazy(() => compileCoercion(shape, 'upgrade'));
  const parser = lazy(() => (shape.holdsDecimals ? parseSpelledJson : parseWrittenJson));
  const parse = (text: string): unknown => parser()(text);
  const hand = lazy(() => handingOver([shape]));
  const read = (text: string) => hand()(coerce(parse(text))) as Value;
  const readItems = (texts: string) =>
    (parse(`[${texts}]`) as unknown[]).map((item) => hand()(coerce(item)) as Value);
  const write = jsonWriter(shape, 'storage', 'dropped');
  return {
    write: (value: unknown) => write(given(value)),
    read,
    readExact: (text: string) => coerce(parse(text)) as Value,
    readFilled: (text: string) => fill()(parse(text)) as Value,
    serialized: (text: string) => new SerializedJson(shape, text, read),
    serializedItems: (texts: string) => new SerializedItems(shape, texts, readItems),
  };
};

/** The serialized form of a type, or of a member of the union that it is. */
export type SerializedAs<Value> =
  | SerializedJson<Value>
  | (Value extends unknown ? SerializedJson<Value> : never);

/** Some items of a list, in order. */
export type JsonPage<Item> = readonly (Item | SerializedAs<Item>)[] | SerializedItems<Item>;

/**
 * Pages of a list, in order. The next one is requested when the last has been sent; `return` is called as soon as no more are
 * needed, even while a page is awaited.
 */
export type Pages<Item> = AsyncIterable<JsonPage<Item>>;

/** A list that code reads item by item, and a response by its pages. */
export interface PagedList<Item> extends AsyncIterable<Item> {
  pages(): Pages<Item>;
}

/** Returns the pages of a value that comes page by page; undefined for all others, such as every value of a schema. */
export const findPages = (value: unknown): Pages<unknown> | undefined => {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) {
    return undefined;
  }
  return 'pages' in value ? (value as PagedList<unknown>).pages() : (value as Pages<unknown>);
};
