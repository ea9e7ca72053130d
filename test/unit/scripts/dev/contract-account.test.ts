import { describe, expect, test } from '@jest/globals';
import {
  type AccountedApp,
  accountLines,
  accountOf,
} from '../../../../scripts/dev/contract-account';
import type { Change } from '../../../../src/contract';
import { type ApiDocument, parseApiDocument } from '../../../../src/engine';

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

const document = (operations: readonly string[], base = '/box', title = 'Box'): ApiDocument =>
  parseApiDocument(
    'box.yaml',
    [
      'openapi: 3.0.3',
      `info: { title: ${title}, version: '1' }`,
      `servers: [{ url: ${base} }]`,
      'paths:',
      ...operations.map(
        (id, at) =>
          `  /${at}: { get: { operationId: ${id}, responses: { '200': { description: A } } } }`,
      ),
    ].join('\n'),
  );

const app = (
  documents: readonly ApiDocument[],
  findings: readonly string[] = [],
): AccountedApp => ({
  documents,
  problems: documents.flatMap(({ diagnostics }) => diagnostics),
  handlerFindings: findings.map((message) => ({ message, isError: false })),
});

describe('accountLines', () => {
  const [a, b] = [document(['a']), document(['a', 'b'])];
  test.each<[string, AccountedApp, AccountedApp, unknown[]]>([
    ['the same', app([a], ['A finding']), app([a], ['A finding']), []],
    [
      'an operation more',
      app([a]),
      app([b]),
      ['box: changed', '  compatible: box.yaml:6:9 Operation added (GET /1). (b)'],
    ],
    [
      'one less',
      app([b]),
      app([a]),
      ['box: changed', '  breaking: box.yaml:6:9 Operation removed (GET /1). (b)'],
    ],
    [
      'other names',
      app([b]),
      app([document(['b', 'a'])]),
      [
        'box: changed',
        expect.stringMatching(/^ {2}warning: box\.yaml:5:16 operationId changed; .* \(b\)$/),
        expect.stringMatching(/^ {2}warning: box\.yaml:6:16 operationId changed; .* \(a\)$/),
      ],
    ],
    ['texts alone', app([a]), app([document(['a'], '/box', 'B')]), ['box: changed, texts only']],
    ['a document more', app([]), app([b]), ['box: served at /box (2 operations)']],
    ['a document less', app([a]), app([]), ['box: no longer served']],
    [
      'elsewhere',
      app([a]),
      app([document(['a'], '/chest')]),
      [
        'box: changed, now at /chest',
        '  breaking: box.yaml:3:11 Base path removed (/box).',
        '  compatible: box.yaml:3:11 Base path added (/chest).',
      ],
    ],
    [
      'a new finding',
      app([a], ['Old']),
      app([a], ['Old', 'a (specs/box.yaml:7) has no handler: mocked']),
      ['a (specs/box.yaml:7) has no handler: mocked'],
    ],
    [
      'a new warning',
      app([a]),
      app([document(['a'], '/box, x: y')]),
      [
        'box: changed',
        'box.yaml:3:24 warning: OpenAPI 3.0 has no field `x` in this server; it is ignored. Remove it, or begin its name with `x-`. (/servers/0/x)',
      ],
    ],
  ])('%s', (_, before, now, lines) => {
    expect(accountLines(before, now)).toEqual(lines);
  });
});
