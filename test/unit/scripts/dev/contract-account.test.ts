import { describe, expect, test } from '@jest/globals';
import {
  type AccountedApp,
  accountLines,
  accountOf,
  type ContractChange,
} from '../../../../scripts/dev/contract-account';
import { type ApiDocument, parseApiDocument } from '../../../../src/engine';

const change = (
  severity: ContractChange['severity'],
  message: string,
  operation: string | null = 'getBox',
): ContractChange => ({
  ...{ severity, message, operation },
  file: 'box.yaml',
  line: 3,
  column: 5,
});

describe('accountOf', () => {
  test('the worst comes first', () => {
    const changes = [
      change('compatible', 'A new parameter'),
      change('breaking', 'A status is gone'),
      change('warning', 'Another server', null),
    ];
    expect(accountOf(changes)).toEqual([
      '  breaking: getBox: A status is gone (box.yaml:3:5)',
      '  warning: Another server (box.yaml:3:5)',
      '  compatible: getBox: A new parameter (box.yaml:3:5)',
    ]);
  });

  test('of many, the rest is counted', () => {
    const lines = accountOf(Array.from({ length: 25 }, () => change('breaking', 'Gone')));
    expect([lines.length, lines.at(-1)]).toEqual([21, '  and 5 more']);
  });
});

const document = (operations: readonly string[], base = '/box'): ApiDocument =>
  parseApiDocument(
    'box.yaml',
    [
      'openapi: 3.0.3',
      "info: { title: Box, version: '1' }",
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
  test.each<[string, AccountedApp, AccountedApp, string[]]>([
    ['the same', app([a], ['A finding']), app([a], ['A finding']), []],
    [
      'an operation more',
      app([a]),
      app([b]),
      ['box: changed', '  compatible: b: The operation is new (box.yaml:6:9)'],
    ],
    [
      'one less',
      app([b]),
      app([a]),
      ['box: changed', '  breaking: b: The operation is gone (box.yaml:6:9)'],
    ],
    [
      'one at another path',
      app([b]),
      app([document(['b', 'a'])]),
      [
        'box: changed',
        '  warning: b: The operation has changed (box.yaml:5:9)',
        '  warning: a: The operation has changed (box.yaml:6:9)',
      ],
    ],
    ['a document more', app([]), app([b]), ['box: served at /box (2 operations)']],
    ['a document less', app([a]), app([]), ['box: no longer served']],
    ['elsewhere', app([a]), app([document(['a'], '/chest')]), ['box: changed, now at /chest']],
    [
      'a new finding',
      app([a], ['Old']),
      app([a], ['Old', 'box: mocked, without a handler: a']),
      ['box: mocked, without a handler: a'],
    ],
    [
      'a new warning',
      app([a]),
      app([document(['a'], '/box, x: y')]),
      [
        'box: changed',
        'box.yaml:3:24 warning: OpenAPI 3.0 knows no field `x` of this server, and it is ignored. Remove it, or begin its name with `x-`. (/servers/0/x)',
      ],
    ],
  ])('%s', (_, before, now, lines) => {
    expect(accountLines(before, now)).toEqual(lines);
  });
});
