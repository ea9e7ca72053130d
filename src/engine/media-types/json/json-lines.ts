/** JSON Lines, which is NDJSON: a list with one JSON text per line. */

import { writeJson } from '../../../base/json/write-json';
import { pointerTo } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import type { ReadLimits } from '../../../base/read-limits';
import { compileItems } from '../../../schema/compile-per-shape';
import type { Codec } from '../codec/codec';
import { jsonListWriter, jsonWriter, parseJson } from './json';

/**
 * Parses the line of that number, counted from 1.
 * @param at the place of its value, a JSON Pointer
 * @throws MalformedText
 */
export const parseLine = (line: string, number: number, limits: ReadLimits, at = ''): unknown => {
  try {
    return parseJson(line, limits);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    // A line has but one line.
    const message = error.message.replace('at line 1,', `at line ${number},`);
    throw new MalformedText(message, at + error.path);
  }
};

/** Counts the values that a value consists of, itself included. */
const countValues = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) count += countValues(inner);
  return count;
};

/** Parses all lines but blank ones. */
const parseLines = (text: string, limits: ReadLimits): unknown[] => {
  const items: unknown[] = [];
  let number = 0;
  let values = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.trim() === '') continue;
    const item = parseLine(line, number, limits, pointerTo('', items.length));
    values += countValues(item);
    if (values > limits.nodes) {
      throw new MalformedText(`The text has more than ${limits.nodes} values`);
    }
    items.push(item);
  }
  return items;
};

/** The codec of application/x-ndjson, application/jsonl and application/x-jsonlines, for lists (jsonlines.org). */
export const jsonLinesCodec: Codec = {
  name: 'lines',
  mediaTypes: ['application/x-ndjson', 'application/jsonl', 'application/x-jsonlines'],
  carries: ({ type, alternatives }) => type === 'array' && alternatives.length === 0,
  advice: 'Make it a list',
  reader: (_shape, _direction, limits) => (text) => parseLines(text, limits),
  writer(shape, direction) {
    const writerAt = compileItems(shape, (item) => jsonWriter(item, direction), writeJson);
    return (value) =>
      [value]
        .flat()
        .map((item, index) => `${writerAt(index)(item)}\n`)
        .join('');
  },
  listWriter(shape, direction) {
    const list = jsonListWriter(shape, direction);
    return list && { ...list, empty: '', open: '', separator: '\n', close: '\n' };
  },
};
