import { describe, expect, test } from '@jest/globals';
import { painter, readableLine } from '../../../../src/server/observability/readable-line';

const plain = painter(false);
const request = { level: 30, method: 'GET', path: '/box/1', milliseconds: 1.234, msg: 'request' };

describe('readableLine', () => {
  test.each<[string, object, string]>([
    [
      'a request',
      { ...request, operation: 'getBox', status: 200 },
      'GET    /box/1 getBox 200 1.2 ms',
    ],
    [
      'a mocked one',
      { ...request, operation: 'getBox', status: 200, mock: true },
      'GET    /box/1 getBox (mock) 200 1.2 ms',
    ],
    ['one of no operation', { ...request, status: 404 }, 'GET    /box/1 - 404 1.2 ms'],
    ['anything else', { level: 40, msg: 'Take care' }, 'Take care'],
    [
      'an error',
      { level: 50, msg: 'No', err: { stack: 'Error: No\n  at x' } },
      'No\nError: No\n  at x',
    ],
  ])('%s', (_, line, text) => {
    expect(readableLine(JSON.stringify(line), plain)).toBe(text);
  });

  test.each([
    [200, 32],
    [302, 36],
    [404, 33],
    [500, 31],
  ])('the status %i has its colour', (status, colour) => {
    const text = readableLine(JSON.stringify({ ...request, status }), painter(true));
    expect(text).toContain(`\u001B[${colour}m${status}\u001B[0m`);
  });
});
