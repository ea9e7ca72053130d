import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  type AccountedApp,
  accountLines,
  accountOf,
} from '../../../../scripts/dev/contract-account';
import type { Change } from '../../../../src/contract';
import { type ApiDocument, parseApiDocument } from '../../../../src/engine';
import { tableOf } from '../../../support/text-cases';

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

/** The document and the findings of an application in a case; no document without `has`. */
interface Given {
  readonly has?: readonly string[];
  readonly base?: string;
  readonly title?: string;
  readonly finds?: readonly string[];
}

const documentOf = (ids: readonly string[], base = '/box', title = 'Box'): ApiDocument => {
  const operations = ids.map(
    (id, at) =>
      `  /${at}: { get: { operationId: ${id}, responses: { '200': { description: A } } } }`,
  );
  return parseApiDocument(
    'box.yaml',
    `openapi: 3.0.3
info: { title: ${title}, version: '1' }
servers: [{ url: ${base} }]
paths:
${operations.join('\n')}`,
  );
};

const appOf = (text: string): AccountedApp => {
  const { has, base, title, finds = [] }: Given = parse(text);
  const documents = has === undefined ? [] : [documentOf(has, base, title)];
  return {
    documents,
    problems: documents.flatMap(({ diagnostics }) => diagnostics),
    handlerFindings: finds.map((message) => ({ message, isError: false })),
  };
};

describe('accountLines', () => {
  const cases = join(__dirname, 'contract-account.cases.txt');
  test.each(tableOf(cases, 'accountLines'))('%s', (_, before = '', now = '', lines = '') => {
    expect(accountLines(appOf(before), appOf(now))).toEqual(JSON.parse(lines));
  });
});
