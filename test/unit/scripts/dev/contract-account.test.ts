import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type AccountedApp, accountLines } from '../../../../scripts/dev/contract-account';
import { type ApiDocument, parseApiDocument } from '../../../../src/engine';
import { tableOf } from '../../../support/text-cases';

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
