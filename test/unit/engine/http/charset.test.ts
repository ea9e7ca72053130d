/** The charset that a Content-Type names. */

import { expect, test } from '@jest/globals';
import { charsetOf } from '../../../../src/engine/http/media-type';

test.each([
  ['application/json', undefined],
  ['application/json; version=1', undefined],
  ['application/json;charset=UTF-8', 'UTF-8'],
  ['text/xml ; Charset = "iso-8859-1" ; x=y', 'iso-8859-1'],
  ['application/json; charset', ''],
  ['application/json; charset=', ''],
  ['application/json; charset=""', ''],
  ['application/json; charset="utf-8', ''],
  ['application/json; charset=utf-8"', ''],
  ['application/json; charset=utf-8, x', ''],
  ['application/json; charset=utf-8; charset=utf-8', ''],
])('%j', (contentType, charset) => {
  expect(charsetOf(contentType)).toBe(charset);
});
