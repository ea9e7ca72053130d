/** Events whose data is text, or JSON that the schema describes. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { schemaContext } from '../../../../../src/engine/media-types/schema-context';
import { itemsOf as howRead } from '../../../../../src/engine/media-types/sequences/sequence-formats';
import { readText, readValue, tableOf } from '../../../../support/text-cases';
import { contentOf, inChunks, itemsOf, readerOf, writerOf, written } from './items-of-bytes';

const key = 'text/event-stream';
const json = (contentSchema: object) => ({ contentMediaType: 'application/json', contentSchema });
const count = {
  type: 'object',
  properties: { n: { type: 'integer', format: 'int64' } },
  required: ['n'],
};
const event = {
  type: 'object',
  required: ['data'],
  properties: {
    data: { type: 'string' },
    event: { type: 'string' },
    id: { type: 'string' },
    retry: { type: 'integer', minimum: 0 },
  },
};
/** The data of one kind of event is text, that of others JSON (OAS 3.2.0, Server-Sent Event Streams). */
const mixed = {
  allOf: [event],
  required: ['event'],
  oneOf: [
    { properties: { event: { const: 'text' } } },
    { properties: { event: { const: 'count' }, data: json(count) } },
    { properties: { event: { const: 'name' }, data: json({ type: 'string' }) } },
  ],
};
const always = {
  ...event,
  properties: { ...event.properties, data: { type: 'string', ...json(count) } },
};
const conditional = {
  ...event,
  if: { properties: { event: { const: 'count' } }, required: ['event'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { data: json(count) } },
};

const isValid = (itemSchema: object) => {
  const items = howRead(contentOf(key, itemSchema));
  if (items === undefined) throw new Error('no items');
  return schemaContext().validators.accepts(items.schema, 'request');
};

const untyped = { properties: { data: { type: 'string', contentMediaType: 'application/json' } } };
const schemas = { event, always, mixed, conditional, untyped };

/** The schema, the stream, the events, and whether these are valid. */
const cases: readonly (readonly [string, object, string, readonly unknown[], boolean])[] = tableOf(
  join(__dirname, 'events.cases.txt'),
  'events',
).map(([title = '', schema = '', text = '', items = '', valid = '']) => [
  title,
  Reflect.get(schemas, schema),
  readText(text),
  Object(readValue(items)),
  valid === 'true',
]);

test.each(cases)('%s: reads %#', (_title, itemSchema, text, items, valid) => {
  const read = itemsOf(readerOf(contentOf(key, itemSchema)), [Buffer.from(text)]);
  expect(read).toStrictEqual(items);
  if (typeof read[0] === 'object') expect(isValid(itemSchema)(read[0])).toBe(valid);
});

test.each(cases.filter(([, , , items, valid]) => valid && typeof items[0] === 'object'))(
  '%s: gives back what it writes %#',
  (_title, itemSchema, _text, items) => {
    const content = contentOf(key, itemSchema);
    expect(itemsOf(readerOf(content), [written(writerOf(content), items)])).toStrictEqual(items);
  },
);

test('a schema with a reference that leads nowhere is left to others to report', () => {
  const nowhere = { $ref: '#/components/schemas/Nowhere' };
  const itemSchema = { anyOf: [{ properties: { data: nowhere } }, { allOf: [nowhere, always] }] };
  expect(howRead(contentOf(key, itemSchema))?.format.name).toBe('event-stream');
});

describe('writing', () => {
  const { write, heartbeat, failure } = writerOf(contentOf(key, event));

  test.each([
    [{ data: 'a' }, 'data: a\n\n'],
    [{ data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
    [{ data: '' }, 'data: \n\n'],
    [{ data: ' x' }, 'data:  x\n\n'],
    [{ data: 'x', retry: 5n, event: 'e', id: '1' }, 'id: 1\nevent: e\nretry: 5\ndata: x\n\n'],
    [{ retry: 5 }, 'retry: 5\n\n'],
  ])('%#', (item, text) => {
    expect(write(item)).toBe(text);
  });

  test.each([
    ['data: x', 'An event must be an object'],
    [{ data: 5 }, 'The field data of an event must be text, or be described by contentSchema'],
    [
      { data: 'x', event: 'a\ndata: y' },
      'The field event of an event must be one line, without U+0000',
    ],
    [{ data: 'x', id: 'a\rb' }, 'The field id of an event must be one line, without U+0000'],
    [{ data: 'x', id: 'a\0b' }, 'The field id of an event must be one line, without U+0000'],
    [
      { data: 'x', retry: 1.5 },
      'The field retry of an event must be a whole number of milliseconds',
    ],
  ])('%j fails', (item, message) => {
    expect(() => write(item)).toThrow(message);
  });

  test('a heartbeat is nothing for readers, and a failure an event', () => {
    const bytes = Buffer.from(`${heartbeat?.text}data: x\n\n${heartbeat?.text}${failure}`);
    expect(itemsOf(readerOf(contentOf(key, event)), [bytes])).toStrictEqual([
      { data: 'x' },
      { event: 'error', data: '{"message":"The server failed, and sends no more events"}' },
    ]);
  });

  test('what is written is read', () => {
    const text = fc.string().map((given) => given.replaceAll('\0', ''));
    const line = text.map((given) => `e${given.replaceAll(/[\r\n]/g, '')}`);
    const item = fc.record(
      { data: text, event: line, id: line, retry: fc.nat() },
      { requiredKeys: ['data'] },
    );
    fc.assert(
      fc.property(fc.array(item), fc.integer({ min: 1, max: 9 }), (items, size) => {
        const content = contentOf(key, event);
        const read = itemsOf(readerOf(content), inChunks(written(writerOf(content), items), size));
        const lines = items.map((one) => ({ ...one, data: one.data.replaceAll(/\r\n?/g, '\n') }));
        expect(read).toEqual(lines.map((one) => ({ ...one })));
      }),
      { seed: 32, numRuns: 200 },
    );
  });
});
