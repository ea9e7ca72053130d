/** Bodies of serialized texts and of lists, and header values in simple style. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readerOf } from '../../../../src/engine/media-types/codec/codec';
import {
  type JsonPage,
  jsonCodec,
  type SerializedItems,
  SerializedJson,
  storedJson,
} from '../../../../src/engine/media-types/json/json';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { bodyWriter } from '../../../../src/engine/responses/response';
import { writeSimple } from '../../../../src/engine/responses/response-headers';
import { isTextStream } from '../../../../src/http/send';
import type { MediaType } from '../../../../src/model/operation';
import type { Schema } from '../../../../src/model/schema';
import { listOf, watchedPages } from '../../../support/pages';
import { schemasOf } from '../../../support/schemas';
import { readOne, shapeOf as shapeOfSchema } from '../parameters/read-parameter';

const int64 = { type: 'integer', format: 'int64' };
const schemas: Readonly<Record<string, object>> = parse(
  readFileSync(join(__dirname, 'response.yaml'), 'utf8'),
);

const { shapeOf, validators, codecs } = schemaContext();
const readSchema = schemasOf(schemas);
const schemaNamed = (name: string) => readSchema({ $ref: `#/components/schemas/${name}` });
const shapeNamed = (name: string) => shapeOf(schemaNamed(name));

const mediaTypeOf = (key: string, schema: Schema): MediaType => ({
  pointer: '',
  key,
  schema,
  itemSchema: undefined,
  encoding: {},
  prefixEncoding: [],
  itemEncoding: undefined,
  examples: [],
});

const writerOf = (name: string, mediaType = 'application/json', validateResponses = true) =>
  bodyWriter(mediaType, mediaTypeOf(mediaType, schemaNamed(name)), {
    shapeOf,
    validators,
    codecs,
    validateResponses,
  });

/** The spaces show whether a text went out as it is. */
const keptAs = (name: string, text: string): SerializedJson<unknown> =>
  new SerializedJson(shapeNamed(name), text, readerOf(jsonCodec, shapeNamed(name), 'storage'));

const unreadable = (name: string, text: string): SerializedJson<unknown> =>
  new SerializedJson<unknown>(shapeNamed(name), text, () => {
    throw new Error('This text must not be read');
  });

const joinedAs = (name: string, texts: string): SerializedItems<unknown> =>
  storedJson(shapeNamed(name)).serializedItems(texts);

const toyText = '{"id": 9007199254740993, "name": "a"}';
const toyXml = '<Toy><id>9007199254740993</id><name>a</name></Toy>';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

const readAll = async (body: ReturnType<ReturnType<typeof bodyWriter>>): Promise<unknown> => {
  if (!isTextStream(body)) return body;
  let text = '';
  while (true) {
    const { done, value } = await body.next();
    text += value;
    if (done) return text;
  }
};

const [json, xml, form] = [
  'application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
] as const;

describe('a kept value', () => {
  test.each<[string, string, string, string]>([
    ['goes out as it is', 'Toy', json, toyText],
    ['so under another media type of JSON', 'Toy', 'application/problem+json', toyText],
    ['so under another name of the schema', 'Alias', json, toyText],
    ['is written anew by another schema', 'Extended', json, toyText.replaceAll(' ', '')],
    ['is written anew in XML', 'Toy', xml, declaration + toyXml],
    ['is written anew as a form', 'Toy', form, 'id=9007199254740993&name=a'],
  ])('%s (%s, %s)', (_title, name, mediaType, want) => {
    expect(writerOf(name, mediaType)(keptAs('Toy', toyText))).toBe(want);
  });

  test('is written anew where a reply leaves something out', () => {
    const value = keptAs('Secret', '{"inner": [{"key": "k"}]}');
    expect(writerOf('Secret')(value)).toBe('{"inner":[{}]}');
  });

  test('is read and checked first', () => {
    expect(() => writerOf('Toy')(keptAs('Toy', '{"id": 1}'))).toThrow(
      "The response's body/name must have the property",
    );
  });

  test('is not read where replies are not checked', () => {
    const write = writerOf('Toy', json, false);
    expect(write(unreadable('Toy', '{ }'))).toBe('{ }');
  });
});

describe('a listing', () => {
  const toys = [{ name: 'a' }, keptAs('Toy', toyText)] as const;
  const values = [{ name: 'a' }, { id: 9007199254740993n, name: 'a' }, { name: 'a' }];
  const listing = () => listOf<unknown>([], toys, [], toys.slice(0, 1), []);
  const inXml = `<Toy><name>a</name></Toy>${toyXml}<Toy><name>a</name></Toy>`;

  describe.each([
    ['checked', true],
    ['unchecked', false],
  ])('%s', (_how, validateResponses) => {
    test.each<[string, string, string, string]>([
      ['kept texts as they are', 'Toys', json, `[{"name":"a"},${toyText},{"name":"a"}]`],
      ['all written', 'Toys', xml, `${declaration}<Toys>${inXml}</Toys>`],
    ])('%s', async (_title, name, mediaType, want) => {
      const write = writerOf(name, mediaType, validateResponses);
      expect(await readAll(write(listing()))).toBe(want);
      expect(await readAll(write(listOf()))).toBe(await readAll(write([])));
    });
  });

  test.each<[string, string, string]>([
    ['a format that has no pieces', 'Toys', form],
    ['a schema that counts the items', 'ManyToys', json],
    ['the same in XML', 'ManyToys', xml],
  ])('is collected for %s', async (_title, name, mediaType) => {
    const write = writerOf(name, mediaType);
    expect(await readAll(write(listing()))).toBe(write(values));
  });

  describe('whose pages are kept as joined texts', () => {
    const joined = () => joinedAs('Toy', `${toyText}, {"name": "b"}`);
    const inJson = toyText.replaceAll(' ', '');
    const inXml = `${toyXml}<Toy><name>b</name></Toy>`;
    const pagesOf = (...pages: readonly JsonPage<unknown>[]) =>
      async function* () {
        yield* pages;
      };

    test.each<[string, string, string, boolean, string]>([
      ['are sent as they are', 'Toys', json, false, `[${toyText}, {"name": "b"}]`],
      ['are read where replies are checked', 'Toys', json, true, `[${inJson},{"name":"b"}]`],
      ['are written anew in XML', 'Toys', xml, false, `${declaration}<Toys>${inXml}</Toys>`],
      ['are collected', 'ManyToys', json, true, `[${inJson},{"name":"b"}]`],
    ])('%s (%s, %s, checked: %s)', async (_title, name, mediaType, validateResponses, want) => {
      const write = writerOf(name, mediaType, validateResponses);
      expect(await readAll(write(pagesOf(joined())()))).toBe(want);
    });

    test('stand between others', async () => {
      const write = writerOf('Toys', json, false);
      const text = `[{"name":"a"},${toyText}, {"name": "b"},${toyText}, {"name": "b"},{"name":"c"}]`;
      const pages = pagesOf([{ name: 'a' }], joined(), [], joined(), [{ name: 'c' }]);
      expect(await readAll(write(pages()))).toBe(text);
    });

    test('are written anew where a reply leaves something out', async () => {
      const write = writerOf('Secrets', json, false);
      const page = joinedAs('Secret', '{"inner": [{"key": "k"}]}');
      expect(await readAll(write(pagesOf(page)()))).toBe('[{"inner":[{}]}]');
    });

    test('are written anew by another schema', async () => {
      const write = writerOf('ExtendedToys', json, false);
      expect(await readAll(write(pagesOf(joined())()))).toBe(`[${inJson},{"name":"b"}]`);
    });

    test('let go of their source where they cannot be read', async () => {
      const source = watchedPages(() => joinedAs('Toy', '{') as never);
      await expect(readAll(writerOf('Toys')(source))).rejects.toThrow();
      expect(source).toMatchObject({ asked: 1, returned: 1 });
    });
  });

  test('has its kept items read no more than they must', async () => {
    const write = writerOf('Toys', json, false);
    expect(await readAll(write(listOf([unreadable('Toy', '{ }')])))).toBe('[{ }]');
  });

  test('comes in pieces of about 64 KiB, none of two pages', async () => {
    const page = Array.from({ length: 10_000 }, () => ({ name: 'a'.repeat(10) }));
    const body = writerOf('Toys')(listOf(page, page));
    if (!isTextStream(body)) throw new Error('It does not come in pieces');
    const lengths: number[] = [];
    while (true) {
      const { done, value } = await body.next();
      if (done) break;
      lengths.push(value.length);
    }
    const ofPage = [65_538, 65_538, 65_538, 23_386];
    expect(lengths).toStrictEqual([...ofPage, ...ofPage]);
  });

  describe('fails, and lets go of its source,', () => {
    test.each<[string, string, readonly unknown[][], RegExp, object]>([
      [
        'at an item that is not declared',
        'Toys',
        [[{ name: 'a' }], [{ id: 1n }]],
        /body\/1\/name must/,
        { asked: 2, returned: 1 },
      ],
      [
        'at a list that is not declared',
        'FewToys',
        [[...values]],
        /body must .* 2 items/,
        { asked: 2, returned: 0 },
      ],
      [
        'beyond what may be collected',
        'ManyToys',
        Array(11).fill(Array(10_000).fill(values[0])),
        /more than 100000/,
        { asked: 11, returned: 1 },
      ],
    ])('%s', async (_title, name, pages, message, left) => {
      const source = listOf(...pages);
      await expect(readAll(writerOf(name)(source))).rejects.toThrow(message);
      expect(source).toMatchObject(left);
    });

    test('at what is no page', async () => {
      const source = watchedPages(() => 7 as never);
      await expect(readAll(writerOf('Toys')(source))).rejects.toThrow('must be a list');
      expect(source).toMatchObject({ asked: 1, returned: 1 });
    });

    test('where its media type carries no lists', () => {
      expect(() => writerOf('Key', 'application/pdf')(listOf())).toThrow('no text');
    });
  });

  test('is not begun before it is asked for, and over once it is ended', async () => {
    const source = listing();
    const body = writerOf('Toys')(source);
    if (!isTextStream(body)) throw new Error('It does not come in pieces');
    expect(source.asked).toBe(0);
    await body.next();
    await body.return();
    await body.return();
    await body.next();
    expect(source).toMatchObject({ asked: 2, returned: 1 });
  });
});

const rgb = {
  type: 'object',
  properties: { R: int64, G: int64, secret: { type: 'string', writeOnly: true } },
};

test.each<[string, unknown, object, boolean, string]>([
  ['a boolean', false, { type: 'boolean' }, false, 'false'],
  ['null', null, { type: 'string', nullable: true }, false, ''],
  ['bytes', new Uint8Array([1, 2]), { type: 'string', format: 'byte' }, false, 'AQI='],
  ['an exploded array', ['a', 'b'], { type: 'array', items: {} }, true, 'a,b'],
  ['an exploded object', { R: 100n, G: 200n }, rgb, true, 'R=100,G=200'],
  ['absent and secret members', { R: 1n, G: undefined, secret: 'x' }, rgb, true, 'R=1'],
  ['no second line', 'a\r\nSet-Cookie: b', { type: 'string' }, false, 'a Set-Cookie: b'],
])('R07 %s', (_title, value, schema, explode, want) => {
  expect(writeSimple(value, shapeOfSchema(schema), explode)).toBe(want);
});

describe('R07 what is written reads back', () => {
  test.each<[unknown, object]>([
    [9223372036854775807n, int64],
    [[1n, -2n], { type: 'array', items: int64 }],
    [{ R: 1n, G: 2n }, rgb],
  ])('%p', (value, schema) => {
    for (const explode of [true, false]) {
      const text = writeSimple(value, shapeOfSchema(schema), explode);
      expect(readOne({ in: 'header', schema, explode }, text)).toEqual(value);
    }
  });
});
