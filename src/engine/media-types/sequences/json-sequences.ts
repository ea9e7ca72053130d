/** Sequences of JSON texts: JSON Lines, which is NDJSON (jsonlines.org), and JSON text sequences (RFC 7464, RFC 8091). */

import { MalformedText } from '../../../base/malformed-text';
import type { MediaType } from '../../../model/operation';
import { anySchema } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import { decodeStrictly } from '../codec/codec';
import { jsonWriter, parseJson } from '../json/json';
import { parseLine } from '../json/json-lines';
import type { SchemaContext } from '../schema-context';
import { ByteSegments } from './byte-segments';
import type { ItemLimits, ItemReader, SequenceFormat } from './sequence';

const LF = 0x0a;
/** RS, which begins each text of a sequence. */
const RS = 0x1e;

const shapeOf = ({ itemSchema = anySchema }: MediaType, tools: SchemaContext) =>
  tools.shapeOf(itemSchema);

class LinesReader implements ItemReader {
  readonly #lines: ByteSegments;
  readonly #parse: (line: string, number: number) => unknown;
  #number = 0;

  constructor({ itemBytes }: ItemLimits, parse: (line: string, number: number) => unknown) {
    this.#lines = new ByteSegments(LF, itemBytes);
    this.#parse = parse;
  }

  get pendingBytes(): number {
    return this.#lines.size;
  }

  *#items(lines: Iterable<Uint8Array>): Generator<unknown> {
    for (const bytes of lines) {
      this.#number += 1;
      const line = decodeStrictly(bytes, 'utf-8');
      if (line.trim() !== '') yield this.#parse(line, this.#number);
    }
  }

  read(bytes: Uint8Array): Iterable<unknown> {
    return this.#items(this.#lines.split(bytes));
  }

  end(): Iterable<unknown> {
    return this.#items([this.#lines.take()]);
  }
}

/** JSON Lines; blank lines are skipped, and the last one need not end. */
export const jsonLines: SequenceFormat = {
  name: 'lines',
  compileReader(content, limits, tools) {
    const coerce = compileCoercion(shapeOf(content, tools), 'request');
    const parse = (line: string, number: number) => coerce(parseLine(line, number, limits.values));
    return () => new LinesReader(limits, parse);
  },
  compileWriter(content, tools) {
    const write = jsonWriter(shapeOf(content, tools), 'response');
    return () => ({ open: '', write: (item) => `${write(item)}\n`, close: '' });
  },
};

/** A text that might be the beginning of a longer one (RFC 7464 section 2.4). */
const OPEN_ENDED = /[\w.+-]$/;

class SequenceReader implements ItemReader {
  readonly #texts: ByteSegments;
  readonly #parse: (text: string) => unknown;
  #hasBegun = false;
  /** The size up to which the text that has begun was found not to be complete. */
  #tried = 0;

  constructor({ itemBytes }: ItemLimits, parse: (text: string) => unknown) {
    this.#texts = new ByteSegments(RS, itemBytes);
    this.#parse = parse;
  }

  get pendingBytes(): number {
    return this.#texts.size;
  }

  /** Reads a text between two RS. What was read at its line feed leaves nothing. */
  *#item(bytes: Uint8Array): Generator<unknown> {
    const text = decodeStrictly(bytes, 'utf-8');
    this.#tried = 0;
    if (text.trim() === '') return;
    if (!this.#hasBegun) throw new MalformedText('A JSON text sequence begins with U+001E');
    if (OPEN_ENDED.test(text)) throw new MalformedText('The JSON text is cut: a line feed ends it');
    yield this.#parse(text);
  }

  *read(bytes: Uint8Array): Generator<unknown> {
    for (const text of this.#texts.split(bytes)) {
      yield* this.#item(text);
      this.#hasBegun = true;
    }
    yield* this.#complete();
  }

  /** Reads a text that its line feed shows to be complete, though the next one has not begun. */
  *#complete(): Generator<unknown> {
    const { size } = this.#texts;
    // A line feed may also stand inside of a text: trying each would take quadratic time.
    if (!this.#hasBegun || size < 2 * this.#tried || this.#texts.peek().at(-1) !== LF) return;
    this.#tried = size;
    let item: unknown;
    try {
      item = this.#parse(decodeStrictly(this.#texts.peek(), 'utf-8'));
    } catch (error) {
      if (error instanceof MalformedText) return;
      throw error;
    }
    this.#texts.take();
    this.#tried = 0;
    yield item;
  }

  end(): Iterable<unknown> {
    return this.#item(this.#texts.take());
  }
}

/** JSON text sequences; a text that is cut is refused. */
export const jsonTextSequence: SequenceFormat = {
  name: 'json-seq',
  compileReader(content, limits, tools) {
    const coerce = compileCoercion(shapeOf(content, tools), 'request');
    return () => new SequenceReader(limits, (text) => coerce(parseJson(text, limits.values)));
  },
  compileWriter(content, tools) {
    const write = jsonWriter(shapeOf(content, tools), 'response');
    return () => ({ open: '', write: (item) => `\u001e${write(item)}\n`, close: '' });
  },
};
