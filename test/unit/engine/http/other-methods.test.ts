import { describe, expect, test } from '@jest/globals';
import { methodNotAllowed, otherMethodResponse } from '../../../../src/engine/http/http-error';

const refused = { status: 405, code: 'method-not-allowed', headers: { Allow: 'GET, HEAD' } };

describe('a path that has other methods', () => {
  test('tells OPTIONS which', () => {
    const answer = { status: 204, headers: { Allow: 'POST' }, body: undefined };
    expect(otherMethodResponse('OPTIONS', 'POST')).toEqual(answer);
  });

  test.each(['POST', 'options', 'PURGE'])('refuses %s', (method) => {
    expect(() => otherMethodResponse(method, 'GET, HEAD')).toThrow(
      expect.objectContaining({ ...refused, message: 'The path does not have this method' }),
    );
  });

  test('is refused in other words where they say more', () => {
    const error = methodNotAllowed('GET, HEAD', 'It can only be read');
    expect(error).toMatchObject({ ...refused, message: 'It can only be read' });
  });
});
