import { describe, expect, test } from '@jest/globals';
import { detectMediaType } from '../../../../src/storage/collections/attached-files';

describe('detectMediaType', () => {
  test.each([
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF\0'],
    ['image/jpeg', '\xff\xd8\xff\xe1\0\x10Exif\0\0'],
    ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['application/octet-stream', 'plain text'],
    ['application/octet-stream', '\xff'],
    ['application/octet-stream', ''],
  ])('says %s of %j', (wanted, latin1) => {
    expect(detectMediaType(Buffer.from(latin1, 'latin1'))).toBe(wanted);
  });

  test('looks at the first bytes alone', () => {
    const bytes = new Uint8Array(1 << 20);
    bytes.set(Buffer.from('%PDF-1.7'), 1 << 19);
    expect(detectMediaType(bytes)).toBe('application/octet-stream');
  });
});
