import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../src/base/malformed-text';
import { codecFor, contentCodec, textCodec } from '../../../../src/engine/media-types/codecs';
import { shapeOf } from './shapes';

test.each([
  ['B07', 'APPLICATION/VND.API+JSON; charset=utf-8', 'json'],
  ['X34', 'text/xml; charset="utf-8"', 'xml'],
  ['X34', 'application/atom+xml', 'xml'],
  ['B07', 'text/plain', 'text'],
  ['B07', 'application/octet-stream', undefined],
  ['B07', 'multipart/form-data', undefined],
  ['B07', 'application/jsonp', undefined],
  ['B07', 'json', undefined],
  ['B07', '', undefined],
])('%s %s is spoken by %s', (_id, mediaType, name) => {
  expect(codecFor(mediaType)?.name).toBe(name);
});

const row = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } };
const rows = { type: 'array', items: row };
const text = { type: 'string' };
const oneOf = (...schemas: readonly object[]) => ({ oneOf: schemas });

test.each<[mediaType: string, schema: object, name: string | undefined]>([
  ['application/json', { ...text, format: 'binary' }, undefined],
  ['application/jsonl', rows, 'lines'],
  ['Application/X-NDJSON', rows, 'lines'],
  ['application/x-jsonlines', { type: 'array' }, 'lines'],
  ['application/jsonl', row, undefined],
  ['application/jsonl', oneOf(rows, row), undefined],
  ['text/csv; charset=utf-8', rows, 'csv'],
  ['text/csv; header=present', rows, 'csv'],
  ['text/csv; header="absent"', rows, undefined],
  ['text/csv', { type: 'array', items: { allOf: [row, { properties: { c: text } }] } }, 'csv'],
  ['text/csv', { type: 'array', items: { ...row, additionalProperties: text } }, 'csv'],
  ['text/csv', { type: 'array', items: { ...row, additionalProperties: row } }, undefined],
  ['text/csv', { type: 'array', items: { ...row, properties: { a: rows } } }, undefined],
  ['text/csv', { type: 'array', items: { ...row, properties: { a: {} } } }, undefined],
  ['text/csv', { type: 'array', items: oneOf(row, row) }, undefined],
  ['text/csv', { type: 'array', items: text }, undefined],
  ['text/csv', { type: 'array', items: { type: 'object' } }, undefined],
  ['text/csv', row, undefined],
  ['text/csv', text, undefined],
  ['application/yaml', row, 'yaml'],
  ['application/yaml', {}, 'yaml'],
  ['application/vnd.a+yaml', rows, 'yaml'],
  ['text/x-yaml; charset=utf-8', rows, 'yaml'],
  ['application/yaml', text, undefined],
  ['application/yaml', { ...text, format: 'binary' }, undefined],
  ['image/svg+xml', row, 'xml'],
  ['image/svg+xml', text, undefined],
  ['application/xml', text, 'xml'],
  ['text/plain', oneOf(row, text), 'text'],
  ['text/plain', oneOf(row, rows), undefined],
  ['application/msgpack', row, undefined],
])('B07 %s of %j is spoken by %s', (mediaType, schema, name) => {
  expect(contentCodec(mediaType, shapeOf(schema))?.name).toBe(name);
});

describe('text/plain', () => {
  test.each([
    ['string', 'x y', 'x y'],
    ['integer', '5', 5],
    ['boolean', 'true', true],
    ['array', 'x', 'x'],
  ])('a %s', (type, text, value) => {
    expect(textCodec.reader(shapeOf({ type, items: {} }), 'request')(text)).toBe(value);
  });

  test('int64 is exact both ways', () => {
    const shape = shapeOf({ type: 'integer', format: 'int64' });
    expect(textCodec.reader(shape, 'request')('9223372036854775807')).toBe(9223372036854775807n);
    expect(textCodec.writer(shape, 'response')(9223372036854775807n)).toBe('9223372036854775807');
  });

  test.each(['a\0', '\ud800'])('%j is refused', (text) => {
    const read = textCodec.reader(shapeOf({ type: 'string' }), 'request');
    expect(() => read(text)).toThrow(MalformedText);
  });
});

test('B09 base64 stays text, which validation checks', () => {
  const shape = shapeOf({ type: 'string', format: 'byte' });
  expect(codecFor('application/json')?.reader(shape, 'request')('"aGk="')).toBe('aGk=');
});
