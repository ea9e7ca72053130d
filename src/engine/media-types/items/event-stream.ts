/** Event streams as the HTML Standard has them (section 9.2, Server-sent events): events with `data`, `event`, `id` and `retry`. */

import { type ExactNumber, messageNumber } from '../../../base/exact-number';
import { MalformedText } from '../../../base/malformed-text';
import { isPlainObject } from '../../../base/plain-object';
import { findForbiddenCharacter } from '../../../base/read-limits';
import { writeScalar } from '../../../schema/scalars';
import { type ItemFormat, largeItem, pendingBytes } from './item-format';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const mark = [0xef, 0xbb, 0xbf];

/** UTF-8 always; bytes that mean no character become U+FFFD (HTML Standard, section 9.2.5). */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The begin of a line that is kept, a character for each byte: of a known field, as far as it goes. */
const KEPT =
  /^(?:d|da|dat|data|e|ev|eve|even|event|i|id|r|re|ret|retr|retry|(?:data|event|id|retry):.*)?$/s;
/** Bytes by which a line is known to be kept: those of the longest field, and the colon. */
const headBytes = 6;

const eventCollector = () => {
  let fields: { event?: string; id?: string; retry?: ExactNumber } = {};
  let data: string[] = [];
  const set: Readonly<Record<string, (value: string) => void>> = {
    data: (value) => void data.push(value),
    event(value) {
      if (value === '') delete fields.event;
      else fields.event = value;
    },
    id(value) {
      if (!value.includes('\0')) fields.id = value;
    },
    retry(value) {
      const time = /^\d+$/.test(value) ? messageNumber(value) : undefined;
      if (time !== undefined) fields.retry = time;
    },
  };
  return {
    /** Takes a line; tells whether it is of a known field. */
    take(line: string): boolean {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (Object.hasOwn(set, name)) set[name]?.(value);
      return Object.hasOwn(set, name);
    },
    /** Lists the event that a blank line ends, and begins another; one without data is none. */
    dispatch(): readonly object[] {
      const events = data.length === 0 ? [] : [{ ...fields, data: data.join('\n') }];
      [fields, data] = [{}, []];
      return events;
    },
  };
};

/** Refuses what no text of a message may hold. */
const checkTexts = (event: object): object => {
  for (const [name, value] of Object.entries(event)) {
    const reason = typeof value === 'string' ? findForbiddenCharacter(value) : undefined;
    if (reason !== undefined)
      throw new MalformedText(`The event is malformed: ${reason}`, `/${name}`);
  }
  return event;
};

/** Makes the reader of lines. Comments and unknown fields are dropped as they come: they take no memory, however long they are. */
const lineReader = (limit: number) => {
  const pending = pendingBytes(limit);
  let isDropped = false;
  let marks = 0;
  return {
    get size() {
      return pending.size;
    },
    /** Returns the bytes without the byte-order mark before the first line. */
    withoutMark(bytes: Uint8Array): Uint8Array {
      let at = 0;
      while (marks < mark.length && at < bytes.length && bytes[at] === mark[marks]) {
        at += 1;
        marks += 1;
      }
      if (at < bytes.length) marks = mark.length;
      return bytes.subarray(at);
    },
    add(bytes: Uint8Array): void {
      if (isDropped || bytes.length === 0) return;
      const head = Buffer.concat([pending.head(headBytes), bytes.subarray(0, headBytes)]);
      isDropped = !KEPT.test(head.toString('latin1', 0, headBytes));
      if (isDropped) pending.clear();
      else pending.add(bytes);
    },
    /** Returns the line that has come, undefined if it is dropped, and begins another. */
    end(): Uint8Array | undefined {
      const line = isDropped ? undefined : pending.complete(new Uint8Array());
      isDropped = false;
      return line;
    },
  };
};

/** Returns the text of a field that has one line. */
const fieldLine = (event: object, name: 'event' | 'id' | 'retry'): string => {
  const value: unknown = Reflect.get(event, name);
  if (value === undefined) return '';
  const text = writeScalar(value);
  if (/[\r\n]/.test(text) || (name === 'id' && text.includes('\0'))) {
    throw new Error(`The field ${name} of an event must be one line, without U+0000`);
  }
  if (name === 'retry' && !/^\d+$/.test(text)) {
    throw new Error('The field retry of an event must be a whole number of milliseconds');
  }
  return `${name}: ${text}\n`;
};

/** Writes an event whose data is text; a line of it becomes a line of the stream. */
export const writeEvent = (event: unknown): string => {
  if (!isPlainObject(event)) throw new Error('An event must be an object');
  const { data } = event;
  if (data !== undefined && typeof data !== 'string') {
    throw new Error('The field data of an event must be text, or be described by contentSchema');
  }
  const lines = data?.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`) ?? [];
  const fields = (['id', 'event', 'retry'] as const).map((name) => fieldLine(event, name));
  return `${[...fields, ...lines].join('')}\n`;
};

/** The format of text/event-stream. What no blank line ends at the end of a stream is no event. */
export const eventStream: ItemFormat = {
  name: 'event-stream',
  mediaTypes: ['text/event-stream'],
  charsets: {
    reads: (charset) => /^utf-?8$/i.test(charset),
    decode: (bytes) => decoder.decode(bytes),
  },
  // Proxies close a connection after 30 s and more.
  heartbeat: { text: ':\n\n', milliseconds: 15_000 },
  failure: 'event: error\ndata: {"message":"The server failed, and sends no more events"}\n\n',
  reader({ itemBytes }) {
    const lines = lineReader(itemBytes);
    const event = eventCollector();
    let eventBytes = 0;
    let isAfterReturn = false;
    const endLine = (): readonly object[] => {
      const line = lines.end();
      if (line === undefined) return [];
      if (line.length === 0) {
        eventBytes = 0;
        return event.dispatch();
      }
      if (event.take(decoder.decode(line))) eventBytes += line.length;
      if (eventBytes > itemBytes) throw largeItem(itemBytes);
      return [];
    };
    /** Yields the pieces of lines, and whether they end one; a line feed behind a carriage return ends none. */
    function* piecesOf(bytes: Uint8Array) {
      let start = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at];
        const isSecond = byte === lineFeed && isAfterReturn;
        isAfterReturn = byte === carriageReturn;
        if (byte !== lineFeed && byte !== carriageReturn) continue;
        if (!isSecond) yield { piece: bytes.subarray(start, at), endsLine: true };
        start = at + 1;
      }
      yield { piece: bytes.subarray(start), endsLine: false };
    }
    return {
      get pendingBytes() {
        return eventBytes + lines.size;
      },
      *read(bytes) {
        for (const { piece, endsLine } of piecesOf(lines.withoutMark(bytes))) {
          lines.add(piece);
          if (endsLine) for (const event of endLine()) yield checkTexts(event);
        }
      },
      *end() {},
    };
  },
  writer: () => writeEvent,
};
