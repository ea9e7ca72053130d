/**
 * Items that are JSON texts: JSON Lines, which is NDJSON, with one in a line (jsonlines.org); JSON text sequences (RFC 7464, RFC 8091),
 * with U+001E before each and a line feed behind it.
 */

import { writeJson } from '../../../base/json/write-json';
import { MalformedText } from '../../../base/malformed-text';
import type { ReadLimits } from '../../../base/read-limits';
import { compileItems } from '../../../schema/compile-per-shape';
import { utf8 } from '../codec/codec';
import { jsonWriter, parseJson } from '../json/json';
import { type ItemFormat, pendingBytes } from './item-format';

const lineFeed = 0x0a;

/** Parses the line of that number, counted from 1. */
const parseLine = (line: string, number: number, limits: ReadLimits): unknown => {
  try {
    return parseJson(line, limits);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    // A line has but one line.
    throw new MalformedText(error.message.replace('at line 1,', `at line ${number},`), error.path);
  }
};

const lineWriter =
  (before: string): ItemFormat['writer'] =>
  (list, direction) => {
    const writerAt = compileItems(list, (item) => jsonWriter(item, direction), writeJson);
    return (item, index) => `${before}${writerAt(index)(item)}\n`;
  };

/** The format of application/x-ndjson, application/jsonl and application/x-jsonlines. Blank lines are no items. */
export const jsonLines: ItemFormat = {
  name: 'lines',
  mediaTypes: ['application/x-ndjson', 'application/jsonl', 'application/x-jsonlines'],
  reader({ itemBytes, values }) {
    const pending = pendingBytes(itemBytes);
    let number = 0;
    const readLine = (bytes: Uint8Array): readonly unknown[] => {
      number += 1;
      const line = utf8.decode(pending.complete(bytes), undefined);
      return line.trim() === '' ? [] : [parseLine(line, number, values)];
    };
    return {
      get pendingBytes() {
        return pending.size;
      },
      *read(bytes) {
        let start = 0;
        for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
          const isEmpty = end === start && pending.size === 0;
          const line = bytes.subarray(start, end);
          start = end + 1;
          if (isEmpty) number += 1;
          else yield* readLine(line);
        }
        pending.add(bytes.subarray(start));
      },
      *end() {
        yield* readLine(new Uint8Array());
      },
    };
  },
  writer: lineWriter(''),
};

const separator = 0x1e;
const lineEnd = Uint8Array.of(lineFeed);
const [quote, backslash, brace, bracket, closingBrace, closingBracket] = Buffer.from('"\\{[}]');
const blanks: ReadonlySet<number | undefined> = new Set(Buffer.from(' \t\r\n'));

/** Follows a JSON text byte by byte, as far as to tell whether it may be complete. */
const textFollower = () => {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  return {
    follow(byte: number): void {
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else isInString = byte !== quote;
      } else if (byte === quote) isInString = true;
      else if (byte === brace || byte === bracket) depth += 1;
      else if (byte === closingBrace || byte === closingBracket) depth -= 1;
    },
    /** Tells whether a string, an object or a list has begun and not ended. */
    isOpen: (): boolean => isInString || depth > 0,
  };
};

/** The format of application/json-seq and every `+json-seq` type. A text that is cut off is malformed. */
export const jsonTextSequence: ItemFormat = {
  name: 'json-seq',
  mediaTypes: ['application/json-seq', '+json-seq'],
  reader({ itemBytes, values }) {
    const pending = pendingBytes(itemBytes);
    let text = textFollower();
    /** `before` a U+001E; `blank`, `text`: of the text behind one; `done`: behind the line feed at the end of a text. */
    let place: 'before' | 'blank' | 'text' | 'done' = 'before';
    const parse = (bytes: Uint8Array): unknown => {
      const whole = utf8.decode(pending.complete(bytes), undefined);
      if (whole === '') {
        throw new MalformedText('The JSON text sequence ends where a text should begin');
      }
      // It might have been longer, as a number without a blank behind it (RFC 7464 section 2.4).
      if (/^[\s]*[^\s{["]/.test(whole) && !/[ \t\r\n]$/.test(whole)) {
        throw new MalformedText('The JSON text may be cut off: no line feed stands behind it');
      }
      return parseJson(whole, values);
    };
    /** Yields the text before a U+001E, of which these bytes are the last; between two of them may be nothing. */
    function* separate(bytes: Uint8Array): Iterable<unknown> {
      const isText = place === 'text' || (place === 'blank' && pending.size + bytes.length > 0);
      if (isText) yield parse(bytes);
      place = 'blank';
      text = textFollower();
    }
    /** Takes a byte; returns what it means for the text so far. */
    const take = (byte: number): 'separator' | 'outside' | 'inside' | 'last' => {
      if (byte === separator) return 'separator';
      if (place === 'before')
        throw new MalformedText('A JSON text sequence must begin with U+001E');
      if (place === 'done') {
        if (blanks.has(byte)) return 'outside';
        throw new MalformedText('The JSON text is malformed: text after the value');
      }
      if (place === 'blank' && !blanks.has(byte)) place = 'text';
      text.follow(byte);
      if (byte !== lineFeed || place !== 'text' || text.isOpen()) return 'inside';
      place = 'done';
      return 'last';
    };
    /** Yields the pieces that end a text; keeps the others. */
    function* piecesOf(bytes: Uint8Array) {
      let start = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const meaning = take(bytes[at] ?? separator);
        if (meaning === 'inside') continue;
        const piece = bytes.subarray(start, at);
        start = at + 1;
        if (meaning !== 'outside') yield { piece, isLast: meaning === 'last' };
      }
      pending.add(bytes.subarray(start));
    }
    return {
      get pendingBytes() {
        return pending.size;
      },
      *read(bytes) {
        for (const { piece, isLast } of piecesOf(bytes)) {
          if (isLast) yield parse(Buffer.concat([piece, lineEnd]));
          else yield* separate(piece);
        }
      },
      *end() {
        if (place === 'blank' || place === 'text') yield parse(new Uint8Array());
      },
    };
  },
  writer: lineWriter('\u001e'),
};
