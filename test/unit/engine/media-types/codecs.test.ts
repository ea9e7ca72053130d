/** Formats: which codec reads and writes which media type, plain text, and a codec that a user adds. */

import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../src/base/malformed-text';
import type { Codec } from '../../../../src/engine';
import { readerOf } from '../../../../src/engine/media-types/codec/codec';
import { codecTable, plainTextCodec } from '../../../../src/engine/media-types/codecs';
import { jsonCodec } from '../../../../src/engine/media-types/json/json';
import { openApiRouter } from '../../../../src/package';
import { csvCodec } from '../../../support/csv';
import { listen } from '../../../support/listen';
import { tableOf, valuesOf } from '../../../support/text-cases';
import { writeFiles } from '../../document/bundle/source-folder';
import { readSchema } from '../../schema/validation/validators-of';
import { shapeOf } from './shapes';

const cases = join(__dirname, 'codecs.cases.txt');

const { codecFor, contentCodec } = codecTable([csvCodec]);

test.each(
  valuesOf<[id: string, mediaType: string, name?: string]>(cases, 'media types and their codecs'),
)('%s %s is spoken by %s', (_id, mediaType, name) => {
  expect(codecFor(mediaType)?.name).toBe(name);
});

const text = { type: 'string' };

test.each(tableOf(cases, 'schemas'))(
  'B07 %s of %s is spoken by %s',
  (mediaType = '', schema = '', name = '') => {
    expect(String(contentCodec(mediaType, shapeOf(readSchema(schema)))?.name)).toBe(name);
  },
);

describe('text/plain', () => {
  test.each([
    ['string', 'x y', 'x y'],
    ['integer', '5', 5],
    ['boolean', 'true', true],
    ['array', 'x', 'x'],
  ])('a %s', (type, text, value) => {
    expect(readerOf(plainTextCodec, shapeOf({ type, items: {} }), 'request')(text)).toBe(value);
  });

  test('int64 is exact both ways', () => {
    const shape = shapeOf({ type: 'integer', format: 'int64' });
    expect(readerOf(plainTextCodec, shape, 'request')('9223372036854775807')).toBe(
      9223372036854775807n,
    );
    expect(plainTextCodec.writer(shape, 'response')(9223372036854775807n)).toBe(
      '9223372036854775807',
    );
  });

  test.each(['a\0', '\ud800'])('%j is refused', (text) => {
    const read = readerOf(plainTextCodec, shapeOf({ type: 'string' }), 'request');
    expect(() => read(text)).toThrow(MalformedText);
  });
});

test('B09 base64 stays text, which validation checks', () => {
  const shape = shapeOf({ type: 'string', format: 'byte' });
  expect(readerOf(jsonCodec, shape, 'request')('"aGk="')).toBe('aGk=');
});

describe('a codec of a user', () => {
  const parse = (text: string): object => {
    const pairs = text.split('\n').map((line) => line.split('='));
    if (pairs.some(({ length }) => length !== 2))
      throw new MalformedText('A line is not NAME=VALUE');
    return Object.fromEntries(pairs);
  };
  const write = (value: unknown): string =>
    Object.entries(Object(value))
      .map(([name, member]) => `${name}=${member}`)
      .join('\n');
  const ini: Codec = {
    name: 'ini',
    mediaTypes: ['text/x-ini', '+ini'],
    carries: ({ type }) => type === 'object',
    reader: () => parse,
    writer: () => write,
  };
  const settings = { type: 'object', properties: { name: text, size: { type: 'string' } } };
  let url: string;

  beforeAll(async () => {
    const content = { 'text/x-ini': { schema: settings } };
    const document = {
      openapi: '3.0.3',
      info: { title: 'Settings', version: '1' },
      paths: {
        '/settings': {
          put: {
            operationId: 'putSettings',
            requestBody: { required: true, content },
            responses: { 200: { description: 'Stored', content } },
          },
        },
      },
    };
    const file = join(writeFiles({ 'settings.json': JSON.stringify(document) }), 'settings.json');
    const handlers = { putSettings: ({ body }: { body: object }) => ({ status: 200, body }) };
    const router = await openApiRouter(file, handlers, {}, { codecs: [ini] });
    url = `${await listen(createServer(router))}/settings`;
  });

  test.each([
    ['reads and writes bodies', 'name=a\nsize=2', 200, 'name=a\nsize=2'],
    ['refuses text that is not of the format', 'name', 400, 'A line is not NAME=VALUE'],
  ])('%s', async (_title, body, status, answer) => {
    const headers = { 'Content-Type': 'text/x-ini' };
    const response = await fetch(url, { method: 'PUT', headers, body });
    expect([response.status, await response.text()]).toEqual([
      status,
      expect.stringContaining(answer),
    ]);
  });

  test.each([
    ['text/x-ini', settings, 'ini'],
    ['application/vnd.a+ini', settings, 'ini'],
    ['text/x-ini', text, undefined],
    ['application/json', settings, 'json'],
  ])('%s of %j is spoken by %s', (mediaType, schema, name) => {
    expect(codecTable([ini]).contentCodec(mediaType, shapeOf(schema))?.name).toBe(name);
  });

  test('goes before one of the engine', () => {
    const ownJson = { ...jsonCodec, name: 'own' };
    expect(codecTable([ownJson]).codecFor('application/json')?.name).toBe('own');
  });
});
