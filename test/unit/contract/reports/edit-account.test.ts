import { describe, expect, test } from '@jest/globals';
import { accountOf, type Change } from '../../../../src/contract';

const change = (
  severity: Change['severity'],
  message: string,
  operation: string | null = 'getBox',
): Change => ({
  severity,
  message,
  operation,
  rule: 'operation-removed',
  side: 'request',
  method: 'get',
  path: '/box',
  file: 'box.yaml',
  line: 3,
  column: 5,
  pointer: '/paths',
  was: null,
  now: null,
});

describe('accountOf', () => {
  test('the worst comes first', () => {
    const changes = [
      change('compatible', 'A new parameter.'),
      change('breaking', 'A status is gone.'),
      change('warning', 'Another server.', null),
    ];
    expect(accountOf(changes)).toEqual([
      '  breaking: box.yaml:3:5 A status is gone. (getBox)',
      '  warning: box.yaml:3:5 Another server.',
      '  compatible: box.yaml:3:5 A new parameter. (getBox)',
    ]);
  });

  test('what several operations share is one line, as grave as for the worst of them', () => {
    const changes = [
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => change('breaking', 'A value is gone.', id)),
      change('compatible', 'A value is gone.', 'x'),
    ];
    expect(accountOf(changes)).toEqual([
      '  breaking: box.yaml:3:5 A value is gone. (a, b, c, d and 2 more)',
    ]);
  });

  test('of many, the rest is counted', () => {
    const changes = Array.from({ length: 25 }, (_, at) => change('breaking', `Gone: ${at}.`));
    const lines = accountOf(changes);
    expect([lines.length, lines.at(-1)]).toEqual([21, '  and 5 more']);
  });
});
