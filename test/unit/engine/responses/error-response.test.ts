import { describe, expect, test } from '@jest/globals';
import {
  compileErrorMapping,
  declaredError,
} from '../../../../src/engine/responses/error-response';
import { HttpError, type HttpErrorCode } from '../../../../src/http/http-error';

const responses = (keys: readonly string[]) =>
  keys.map((key) => ({
    pointer: `/responses/${key}`,
    key,
    description: `text of ${key}`,
    headers: [],
    content: [],
    links: [],
  }));

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
  const settled = compileErrorMapping(responses(keys), { Allow: 'GET' })(
    new HttpError(400, code, 'own text'),
  );
  expect([settled.status, settled.message]).toEqual([status, text]);
  expect(settled.headers['Allow']).toBe(status === 405 ? 'GET' : undefined);
});

describe('fail(status)', () => {
  const fail = declaredError('read', responses(['302', '404', '4XX', 'default']), true);

  test.each([
    ['an exact status has the declared text', 404, 'text of 404'],
    ['a status of a range has its own name', 410, 'Gone'],
    ['so has one of default', 503, 'Service Unavailable'],
    ['a status without a name', 599, 'The request failed'],
  ])('%s', (_title, status, message) => {
    expect(fail(status)).toMatchObject({ status, code: 'declared', message });
  });

  test.each([
    ['no failure', fail, 302],
    ['what is not declared', declaredError('read', responses(['404']), true), 410],
    ['no failure, unchecked', declaredError('read', responses(['404']), false), 302],
  ])('%s is a fault of the handler', (_title, given, status) => {
    expect(given(status)).not.toBeInstanceOf(HttpError);
  });

  test('of what is not declared has its own name where responses are not checked', () => {
    const unchecked = declaredError('read', responses(['404']), false);
    expect(unchecked(410)).toMatchObject({ status: 410, code: 'declared', message: 'Gone' });
  });
});
