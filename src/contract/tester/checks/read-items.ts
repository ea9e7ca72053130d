/** Reads the items of a stream (OAS 3.2.0, Sequential Media Types), and says how it must not end. */

import { MalformedText } from '../../../base/malformed-text';
import type { ParsedMediaType } from '../../../base/media-type';
import { isPlainObject } from '../../../base/plain-object';
import { itemsOf, type SchemaContext } from '../../../engine';
import type { MediaType } from '../../../model/operation';
import { anySchema } from '../../../model/schema';
import type { Answer } from '../exchange/http-client';
import { itemReader } from '../requests/item-contents';
import type { Problem } from '../rules';

/** An answer as far as it is checked; its body is undefined where that is not to be read. */
export interface CheckableAnswer extends Omit<Answer, 'body'> {
  /** Without Content-Encoding. */
  readonly body: Uint8Array | undefined;
}

type ContentItems = NonNullable<ReturnType<typeof itemsOf>>;
type Reader = NonNullable<ReturnType<typeof itemReader>>;

/** A name that no document gives an event. */
const unnamedEvent = 'unnamed-by-the-document';

/** Tells whether an event says that the server has failed: `error`, unless the schema names it, and so takes no other in its place. */
const isFailure = (item: unknown, items: ContentItems, { validators }: SchemaContext): boolean => {
  if (items.format.name !== 'event-stream' || !isPlainObject(item)) return false;
  const accepts = validators.accepts(items.schema, 'response');
  const isNamed = (): boolean => accepts(item) && !accepts({ ...item, event: unnamedEvent });
  return item['event'] === 'error' && !isNamed();
};

/** Yields the items; the end of a stream that is cut says nothing. */
function* itemsIn({ body, cut }: CheckableAnswer, reader: Reader): Generator<unknown> {
  yield* reader.read(body ?? Buffer.of());
  if (cut === undefined) yield* reader.end();
}

/** Says how a stream ends, where it must not end so. An event that no blank line ends is lost to its readers. */
const wrongEnd = (
  { cut }: CheckableAnswer,
  { format }: ContentItems,
  { pendingBytes }: Reader,
): string | undefined => {
  if (cut === 'broken') return 'a broken connection';
  const isLost = cut === undefined && format.name === 'event-stream' && pendingBytes > 0;
  return isLost ? 'a part of an event' : undefined;
};

/** Reads the events whatever they hold, and tells whether one of them is a failure that does not even have the form of others. */
const isFailureAt = (
  index: number,
  { body = Buffer.of() }: CheckableAnswer,
  content: MediaType,
  type: ParsedMediaType,
  tools: SchemaContext,
): boolean => {
  if (type.essence !== 'text/event-stream') return false;
  const reader = itemReader({ ...content, itemSchema: anySchema }, type, 'response', tools);
  return Object([...(reader?.read(body) ?? [])][index]).event === 'error';
};

/** The items of a stream, as far as they could be read, and what is wrong with the stream itself. */
interface ReadItems {
  readonly items: readonly unknown[];
  readonly problems: readonly Problem[];
}

const ended = (items: readonly unknown[], end: string | undefined): ReadItems => {
  if (end === undefined) return { items, problems: [] };
  const expected = 'a stream that ends behind a whole item, without an event `error`';
  const seen = `${end} behind ${items.length} items`;
  return { items, problems: [{ rule: 'stream-broken', expected, seen }] };
};

const failure = 'an event `error`';

/** Reads the items of an answer; undefined where its content is whole. */
export const readItems = (
  answer: CheckableAnswer,
  content: MediaType,
  type: ParsedMediaType,
  tools: SchemaContext,
): ReadItems | undefined => {
  const [items, reader] = [itemsOf(content), itemReader(content, type, 'response', tools)];
  if (items === undefined || reader === undefined) return undefined;
  const read: unknown[] = [];
  try {
    for (const item of itemsIn(answer, reader)) read.push(item);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    if (isFailureAt(read.length, answer, content, type, tools)) return ended(read, failure);
    const expected = `well-formed items of ${type.essence}`;
    const seen = `${error.message} (at /${read.length}${error.path})`;
    return { items: read, problems: [{ rule: 'body-malformed', expected, seen }] };
  }
  if (isFailure(read.at(-1), items, tools)) return ended(read.slice(0, -1), failure);
  return ended(read, wrongEnd(answer, items, reader));
};
