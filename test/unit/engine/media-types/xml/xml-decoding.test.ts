import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../src/base/malformed-text';
import { utf8 } from '../../../../../src/engine/media-types/codec/codec';
import { decodeXml } from '../../../../../src/engine/media-types/xml/xml';

const bytesOf = (...parts: (string | number | Buffer)[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number'
        ? Buffer.from([part])
        : typeof part === 'string'
          ? Buffer.from(part)
          : part,
    ),
  );
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('X31 the encoding', () => {
  test.each([
    ['a UTF-16LE mark', bytesOf(0xff, 0xfe, utf16le('<a>é</a>')), undefined, '<a>é</a>'],
    ['a UTF-16BE mark', bytesOf(0xfe, 0xff, utf16be('<a>é</a>')), 'utf-16', '<a>é</a>'],
    ['UTF-16 without a mark', bytesOf(utf16be('<a>é</a>')), 'utf-16', '<a>é</a>'],
    ['UTF-16LE without a mark or charset', bytesOf(utf16le('<a>é</a>')), undefined, '<a>é</a>'],
    ['UTF-16BE without a mark or charset', bytesOf(utf16be('<a>é</a>')), undefined, '<a>é</a>'],
    ['ISO-8859-1 is not windows-1252', bytesOf(latin1('\u0080')), 'iso-8859-1', '\u0080'],
    ['US-ASCII', bytesOf('<a/>'), 'us-ascii', '<a/>'],
    ['nothing', bytesOf(), undefined, ''],
  ])('%s', (_title, bytes, charset, text) => {
    expect(decodeXml(bytes, charset)).toBe(text);
  });

  test.each([
    ['invalid UTF-8', bytesOf('<a>', 0xe9, '</a>'), undefined, 'not valid UTF-8'],
    ['overlong UTF-8', bytesOf(0xc0, 0xbc), undefined, 'not valid UTF-8'],
    ['surrogates in UTF-8', bytesOf(0xed, 0xa0, 0x80), undefined, 'not valid UTF-8'],
    ['half a pair in UTF-16', bytesOf(0x00, 0xd8, 0x41, 0x00), 'utf-16le', 'not valid UTF-16LE'],
    ['an odd number of bytes in UTF-16', bytesOf(0x41), 'utf-16le', 'not valid UTF-16LE'],
    ['other bytes than ASCII', bytesOf('é'), 'us-ascii', 'not valid US-ASCII'],
  ])('%s is refused', (_title, bytes, charset, message) => {
    expect(() => decodeXml(bytes, charset)).toThrow(MalformedText);
    expect(() => decodeXml(bytes, charset)).toThrow(message);
  });
});

describe('other texts are UTF-8', () => {
  test.each([
    ['by default', bytesOf('é'), undefined, 'é'],
    ['with a mark', bytesOf(0xef, 0xbb, 0xbf, 'é'), 'UTF-8', 'é'],
    ['as ASCII', bytesOf('a'), 'us-ascii', 'a'],
  ])('%s', (_title, bytes, charset, text) => {
    expect(utf8.decode(bytes, charset)).toBe(text);
  });

  test.each([
    ['another charset', bytesOf('a'), 'iso-8859-1', 'The charset must be UTF-8'],
    ['invalid bytes', bytesOf(0xff), undefined, 'not valid UTF-8'],
  ])('%s is refused', (_title, bytes, charset, message) => {
    expect(() => utf8.decode(bytes, charset)).toThrow(message);
  });
});
