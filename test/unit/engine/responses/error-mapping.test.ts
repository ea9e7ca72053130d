import { expect, test } from '@jest/globals';
import { HttpError, type HttpErrorCode } from '../../../../src/engine/http/http-error';
import { compileErrorMapping, declaredError } from '../../../../src/engine/responses/error-mapping';

const responses = (keys: readonly string[]) =>
  keys.map((key) => ({ key, description: `text of ${key}`, headers: [], content: [] }));

test.each<[HttpErrorCode, readonly string[], number, string]>([
  ['invalid-body', ['400', '405'], 405, 'text of 405'],
  ['invalid-body', ['400', '422'], 422, 'text of 422'],
  ['invalid-body', ['400'], 400, 'text of 400'],
  ['invalid-body', ['default'], 400, 'own text'],
  ['invalid-parameter', ['400', '405'], 400, 'text of 400'],
  ['invalid-parameter', ['405'], 405, 'text of 405'],
  ['invalid-parameter', ['422'], 422, 'text of 422'],
  ['invalid-parameter', [], 400, 'own text'],
])('%s where %j is declared', (code, keys, status, text) => {
  const settled = compileErrorMapping(responses(keys), 'GET')(new HttpError(400, code, 'own text'));
  expect([settled.status, settled.message]).toEqual([status, text]);
  expect(settled.headers['Allow']).toBe(status === 405 ? 'GET' : undefined);
});

test('fail() gives the declared text, and a fault of the handler for anything else', () => {
  const fail = declaredError('read', responses(['404']));
  expect(fail(404)).toMatchObject({ status: 404, code: 'declared', message: 'text of 404' });
  expect(fail(410)).not.toBeInstanceOf(HttpError);
});
