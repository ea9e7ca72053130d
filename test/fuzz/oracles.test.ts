/** The targets see what is wrong: who sees nothing proves nothing. */

import { expect, test } from '@jest/globals';
import type { Codec } from '../../src/engine/media-types/codec/codec';
import { readerOf } from '../../src/engine/media-types/codec/codec';
import { jsonCodec } from '../../src/engine/media-types/json/json';
import { anySample } from '../unit/engine/media-types/schema-arbitrary';
import { bytesTarget, structureTarget } from './targets/codec-targets';
import { drawXml } from './targets/draw-xml';
import { statusesOf } from './targets/http-responses';
import { tokens } from './targets/tokens';
import { readByXml2js } from './targets/xml-trees';

const withReader = (change: (value: unknown, text: string) => unknown): Codec => ({
  ...jsonCodec,
  reader: (shape, direction, limits) => {
    const read = readerOf(jsonCodec, shape, direction, limits);
    return (text) => change(read(text), text);
  },
});

const formatOf = (codec: Codec) => ({
  codec,
  sample: anySample,
  tokens: tokens.json,
  texts: [],
  keepsAll: true,
});

test.each([
  ['JSON', jsonCodec, undefined],
  ['a crash', withReader((_value, text) => text.repeat(-1)), 'Invalid count value'],
  ['another value', withReader((_value, text) => text.length), 'then read'],
])('%s', async (_title, codec, message) => {
  const format = formatOf(codec);
  for (const target of [await bytesTarget(format), await structureTarget(format)]) {
    const runAll = () => target.seeds.map((seed) => target.run(seed));
    if (message === undefined) expect(runAll).not.toThrow();
    else expect(runAll).toThrow(message);
  }
});

test.each([
  ['', []],
  ['HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na', [204, 200]],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n', [200]],
  ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', [200]],
  ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na', 'shorter'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n', 'No chunk'],
  ['HTTP/1.1 200 OK\r\n', 'without an end'],
  ['HTTP/1.1 99 No\r\n\r\n', 'No head'],
  ['HTTP/1.1 200 OK\r\nA: \0\r\n\r\n', 'No head'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab', 'without an end'],
])('%j', (text, expected) => {
  if (typeof expected === 'string') expect(() => statusesOf(text)).toThrow(expected);
  else expect(statusesOf(text)).toEqual(expected);
});

test('XML is drawn in many ways', () => {
  const drawn = Array.from({ length: 200 }, (_, at) =>
    drawXml(
      Buffer.from(Array.from({ length: 64 }, (_byte, index) => (at * 31 + index * 17) % 251)),
    ),
  );
  const all = drawn.map(({ text }) => text).join('');
  for (const piece of ['<![CDATA[', '<!--', '<?', 'xmlns:p=', 'xmlns=', '&#x', '/>', '\ufeff']) {
    expect(all).toContain(piece);
  }
  expect(readByXml2js(drawn[0]?.text ?? '')).toEqual(drawn[0]?.tree);
});
