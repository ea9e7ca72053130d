/** JSON Lines, which is NDJSON: one JSON text per line (jsonlines.org). */

import { writeJson } from '../../../base/json/write-json';
import { MalformedText } from '../../../base/malformed-text';
import type { ReadLimits } from '../../../base/read-limits';
import { compileItems } from '../../../schema/compile-per-shape';
import type { Direction, Shape } from '../../../schema/shape';
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

/** Compiles the writer of JSON items by the shape of their list. */
export const jsonItemWriter = (list: Shape, direction: Direction) => {
  const writerAt = compileItems(list, (item) => jsonWriter(item, direction), writeJson);
  return (item: unknown, index: number): string => writerAt(index)(item);
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
  writer(list, direction) {
    const write = jsonItemWriter(list, direction);
    return (item, index) => `${write(item, index)}\n`;
  },
};
