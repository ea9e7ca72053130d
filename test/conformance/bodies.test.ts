/** Missing bodies and bodies of bytes: B01, B06, B08 to B10. */

import { describe, expect, test } from '@jest/globals';
import { errorOf, faultsOf } from './ask';
import {
  type Bad,
  bodiesRead,
  form,
  type Good,
  json,
  post,
  reads,
  refuses,
  send,
  upload,
  xml,
} from './serve-bodies';

const chunked = { 'Transfer-Encoding': 'chunked' };

describe('presence', () => {
  test.each<Bad>([
    ['nothing at all', 'required', undefined, undefined, 400],
    ['no JSON', 'required', json, undefined, 400],
    ['no XML', 'required', xml, undefined, 400],
    ['no form', 'required', form, undefined, 400],
    ['no bytes', 'bytes', undefined, undefined, 400],
    ['blank JSON', 'required', json, ' \n', 400],
    ['blank XML', 'required', xml, ' \n', 400],
  ])('B01 required but absent: %s', refuses);

  test.each([
    ['405', 405, 'Declared 405', 'OPTIONS, POST'],
    ['422', 422, 'Declared 422', undefined],
    ['required', 400, undefined, undefined],
  ])('B01 absence takes the declared status: %s', async (path, status, _text, allow) => {
    const response = await post(path, json);
    expect([response.status, response.headers['allow']]).toEqual([status, allow]);
    expect(bodiesRead()).toEqual([]);
  });

  test('B01 the fault names the body as a whole', async () => {
    expect(faultsOf(await post('required', json))).toEqual(['body ']);
  });

  test.each<Good>([
    ['an object with its defaults', 'optional', undefined, undefined, { m: 7 }],
    ['an array', 'optionalList', undefined, undefined, []],
    ['a text', 'optionalText', undefined, undefined, undefined],
    ['no body is declared', 'none', json, undefined, undefined],
  ])('B01 optional and absent: %s', reads);

  test.each<Bad>([
    ['JSON', 'none', json, '{}', 415],
    ['a form', 'none', form, 'a=b', 415],
    ['of no type', 'none', undefined, 'a', 415],
  ])('B04 a body where the operation declares none: %s', refuses);

  test('B04 a body where the operation declares none says what to do', async () => {
    const response = await post('none', form, 'a=b', chunked);
    expect(errorOf(response).message).toBe(
      'This operation takes no body. Send the request without one.',
    );
  });

  test.each([json, xml, form])('B10 an empty body of type %s is absent', async (type) => {
    expect((await post('required', type, '')).status).toBe(400);
    expect((await post('optional', type, '')).status).toBe(200);
    expect((await post('optional', type, '', chunked)).status).toBe(200);
    expect(bodiesRead()).toEqual([{ m: 7 }, { m: 7 }]);
  });

  test('B10 empty bytes are a value', async () => {
    expect((await post('bytes', upload, '')).status).toBe(200);
    expect((await post('bytes', upload, '', chunked)).status).toBe(200);
    expect((await post('filled', upload, '')).status).toBe(400);
    expect(bodiesRead()).toEqual([Buffer.of(), Buffer.of()]);
  });

  test.each(['GET', 'HEAD', 'DELETE'])('B06 the body of %s is ignored', async (method) => {
    const headers = { 'Content-Type': json };
    expect((await send('/bodiless', { method, headers, body: '{"n":' })).status).toBe(200);
    expect((await send('/bodiless', { method })).status).toBe(200);
    expect(bodiesRead()).toEqual([undefined, undefined]);
  });
});

describe('bytes', () => {
  const all = Uint8Array.from({ length: 256 }, (_, index) => index);

  test.each<Good>([
    ['bytes', 'bytes', upload, Uint8Array.of(0, 255, 13, 10), Buffer.of(0, 255, 13, 10)],
    ['every byte, behind a range', 'bytes', 'image/png', all, Buffer.from(all)],
    ['JSON is not parsed', 'bytes', json, '{"a":', Buffer.from('{"a":')],
    ['no text is decoded', 'bytes', upload, '\uFEFFa', Buffer.of(0xef, 0xbb, 0xbf, 0x61)],
  ])('B08 %s', reads);

  test.each<Bad>([
    ['bytes are counted', 'bytes', upload, 'ééa', 400],
    ['a limit of their own', 'bytes', 'image/png', new Uint8Array(2001), 413],
    ['the limit of documents', 'required', json, `{"a":"${'a'.repeat(1000)}"}`, 413],
  ])('B08 %s', refuses);

  test.each<Good>([
    ['text', 'base64', 'text/plain', 'aGk=', 'aGk='],
    ['JSON', 'base64', json, '"aGk="', 'aGk='],
    ['XML', 'base64', xml, '<data>aGk=</data>', 'aGk='],
  ])('B09 %s', reads);

  test.each<Bad>([
    ['text', 'base64', 'text/plain', 'a*k=', 400],
    ['JSON', 'base64', json, '"aGk"', 400],
    ['XML', 'base64', xml, '<data>aGk=aGk=</data>', 400],
  ])('B09 not base64: %s', refuses);
});
