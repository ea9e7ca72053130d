/** Reads the items of a stream (OAS 3.2.0, Sequential Media Types), and says how it must not end. */

import { MalformedText } from '../../../base/malformed-text';
import type { ParsedMediaType } from '../../../base/media-type';
import type { SchemaContext } from '../../../engine';
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

type Reader = NonNullable<ReturnType<typeof itemReader>>;

const eventStream = 'text/event-stream';

/** A name that no document gives an event. */
const unnamedEvent = 'unnamed-by-the-document';

/**
 * Tells whether the last event says that the server has failed: it is an `error`, and its schema does not name that, since it takes any
 * other name as well.
 */
const hasFailed = (
  { body = Buffer.of() }: CheckableAnswer,
  content: MediaType,
  type: ParsedMediaType,
  tools: SchemaContext,
): boolean => {
  if (type.essence !== eventStream) return false;
  const { itemSchema = anySchema } = content;
  // As it came: its data need not be of the form of other events.
  const reader = itemReader({ ...content, itemSchema: anySchema }, type, 'response', tools);
  let last = Object(undefined);
  try {
    for (const event of reader?.read(body) ?? []) last = Object(event);
  } catch (error) {
    // The text ends there, which is said by itself.
    if (!(error instanceof MalformedText)) throw error;
  }
  const accepts = tools.validators.accepts(itemSchema, 'response');
  return last.event === 'error' && (!accepts(last) || accepts({ ...last, event: unnamedEvent }));
};

/** Yields the items; the end of a stream that is cut says nothing. */
function* itemsIn({ body, cut }: CheckableAnswer, reader: Reader): Generator<unknown> {
  yield* reader.read(body ?? Buffer.of());
  if (cut === undefined) yield* reader.end();
}

/** Says how a stream ends, where it must not end so. An event that no blank line ends is lost to its readers. */
const wrongEnd = (
  { cut }: CheckableAnswer,
  type: ParsedMediaType,
  { pendingBytes }: Reader,
): string | undefined => {
  if (cut === 'broken') return 'a broken connection';
  const isLost = cut === undefined && type.essence === eventStream && pendingBytes > 0;
  return isLost ? 'a part of an event' : undefined;
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
  const reader = itemReader(content, type, 'response', tools);
  if (reader === undefined) return undefined;
  const isFailure = hasFailed(answer, content, type, tools);
  const read: unknown[] = [];
  try {
    for (const item of itemsIn(answer, reader)) read.push(item);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    if (isFailure) return ended(read, failure);
    const expected = `well-formed items of ${type.essence}`;
    const seen = `${error.message} (at /${read.length}${error.path})`;
    return { items: read, problems: [{ rule: 'body-malformed', expected, seen }] };
  }
  if (isFailure) return ended(read.slice(0, -1), failure);
  return ended(read, wrongEnd(answer, type, reader));
};
