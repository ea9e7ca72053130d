/** Reads the items of a stream (OAS 3.2.0, Sequential Media Types), and says how it must not end. */

import { MalformedText } from '../../../base/malformed-text';
import type { ParsedMediaType } from '../../../base/media-type';
import { itemsOf, type SchemaContext } from '../../../engine';
import type { MediaType } from '../../../model/operation';
import { fieldSchema, itemReader } from '../../../requests/item-contents';
import type { Answer } from '../exchange/http-client';
import type { Problem } from '../rules';

/** An answer as far as it is checked; its body is undefined where that is not to be read. */
export interface CheckableAnswer extends Omit<Answer, 'body'> {
  /** Without Content-Encoding. */
  readonly body: Uint8Array | undefined;
}

type Reader = NonNullable<ReturnType<typeof itemReader>>;

/** Yields the items; the end of a stream that is cut says nothing. */
function* itemsIn({ body, cut }: CheckableAnswer, reader: Reader): Generator<unknown> {
  yield* reader.read(body ?? Buffer.of());
  if (cut === undefined) yield* reader.end();
}

/**
 * Says how a stream ends, where it must not end so: by an event `error` that its schema does not name, since it takes any other name as
 * well, or by an event without a blank line, which is lost to its readers.
 */
const wrongEnd = (
  { cut }: CheckableAnswer,
  content: MediaType,
  read: readonly unknown[],
  { pendingBytes }: Reader,
  { validators }: SchemaContext,
): string | undefined => {
  if (cut === 'broken') return 'a broken connection';
  if (itemsOf(content)?.format.name !== 'event-stream') return undefined;
  if (cut === undefined && pendingBytes > 0) return 'a part of an event';
  const last = Object(read.at(-1));
  const accepts = validators.accepts(fieldSchema(content), 'response');
  const isNamed = (): boolean => accepts(last) && !accepts({ ...last, event: 'other than all' });
  return last.event === 'error' && !isNamed() ? 'an event `error`' : undefined;
};

/**
 * Reads the items of a stream, as far as they can be read, and tells what is wrong with the stream itself.
 * @returns undefined where the content of the answer is whole
 */
export const readItems = (
  answer: CheckableAnswer,
  content: MediaType,
  type: ParsedMediaType,
  tools: SchemaContext,
) => {
  const reader = itemReader(content, type, 'response', tools);
  if (reader === undefined) return undefined;
  const items: unknown[] = [];
  const problems: Problem[] = [];
  try {
    for (const item of itemsIn(answer, reader)) items.push(item);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    const expected = `well-formed items of ${type.essence}`;
    const seen = `${error.message} (at /${items.length}${error.path})`;
    problems.push({ rule: 'body-malformed', expected, seen });
  }
  const isReadable = problems.length === 0 || answer.cut === 'broken';
  const end = isReadable ? wrongEnd(answer, content, items, reader, tools) : undefined;
  if (end === undefined) return { items, problems };
  const expected = 'a stream that ends behind a whole item, without an event `error`';
  const seen = `${end} behind ${items.length} items`;
  return { items, problems: [{ rule: 'stream-broken', expected, seen } as const] };
};
