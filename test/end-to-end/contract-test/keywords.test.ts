/** The keywords of JSON Schema 2020-12: a test of a contract finds each that a server does not know, and nothing in one that knows all. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { testServer } from '../../../src/contract';
import { serveDocument } from '../../support/serve-document';
import { casesOf, rowsOf } from '../../support/text-cases';

/** A schema, a keyword of it that a server may not know, and a part of what has to be said then. */
interface Case {
  readonly name: string;
  readonly schema: object;
  readonly keyword: string;
  readonly place: string;
}

const groups = casesOf(join(__dirname, 'keywords.cases.txt')).map(
  ([title, lines]) =>
    [
      title,
      rowsOf(lines).map(
        ([name = '', schema = '', keyword = '', place = '']): Case => ({
          name,
          schema: parse(schema),
          keyword,
          place,
        }),
      ),
    ] as const,
);

/** Each case is the body of an operation of its own. */
const documentOf = (cases: readonly Case[], schemaOf: (one: Case) => object) => ({
  openapi: '3.1.1',
  paths: Object.fromEntries(
    cases.map((one, index) => [
      `/${index}`,
      {
        post: {
          operationId: one.name,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(one) } },
          },
          responses: { 204: { description: 'Taken' }, 400: { description: 'Refused' } },
        },
      },
    ]),
  ),
  components: { schemas: { Text: { type: 'string', minLength: 2 } } },
});

const without = ({ schema, keyword }: Case): object =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));

describe.each(groups)('V36 %s', (_title, cases) => {
  test('a server that knows the keywords has no failure', async () => {
    const { url, document } = await serveDocument({
      document: documentOf(cases, ({ schema }) => schema),
      mocks: true,
    });
    const options = { document, url, seed: 1, stateless: true } as const;
    const { failures, coverage } = await testServer({ ...options, depth: 'normal' });
    expect(failures.map(({ operation, message }) => [operation, message])).toEqual([]);
    expect(coverage.percent).toBe(100);
  });

  test('each keyword that a server does not know is found', async () => {
    const sound = await serveDocument({ document: documentOf(cases, ({ schema }) => schema) });
    const { url } = await serveDocument({ document: documentOf(cases, without), mocks: true });
    const options = { document: sound.document, url, seed: 1, stateless: true, shrink: false };
    const { failures } = await testServer({ ...options, depth: 'normal' });
    const missed = cases.filter(
      ({ name, place: wanted }) =>
        !failures.some(
          ({ operation, rule, place = '' }) =>
            operation === name && rule === 'invalid-accepted' && place.includes(wanted),
        ),
    );
    expect(missed.map(({ name }) => name)).toEqual([]);
  });
});
