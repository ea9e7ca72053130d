/** Parameters: styles (P01 to P10, P23), declarations and encoding (P11 to P18, P24), values (P19 to P22, P25). */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { serveDocument } from '../support/serve-document';
import { casesOf, readValue } from '../support/text-cases';
import { ask, type Response, recording } from './ask';

/** A Parameter Object; without a name it is `p`, without a place in the query. */
type Declared = Readonly<Record<string, unknown>>;

type Headers = Readonly<Record<string, string>>;

/** The schemas of `*name` in a parameter. */
const schemas: Readonly<Record<string, string>> = {
  string: '{type: string}',
  integer: '{type: integer}',
  int64: '{type: integer, format: int64}',
  number: '{type: number}',
  boolean: '{type: boolean}',
  strings: '{type: array, items: {type: string}}',
  int64s: '{type: array, items: {type: integer, format: int64}}',
  tuple:
    '{type: array, prefixItems: [{type: integer, format: int64}, {type: string}], items: {type: boolean}}',
  patterned:
    '{type: object, patternProperties: {^x: {type: integer, format: int64}}, additionalProperties: false}',
  color: '{type: object, properties: {R: {type: integer}, G: {type: integer, format: int64}}}',
};

/**
 * Serves and asks once. Path parameters stand behind `/a`, one segment each, in their order.
 * @param declared one Parameter Object or several, in YAML
 * @param target what follows `/a`: the raw rest of the path, the query, or both
 */
const readParameters = async (
  declared: string,
  target: string,
  headers: Headers,
  openapi = '3.0.3',
) => {
  const written = declared.replaceAll(/\*(\w+)/g, (_, name: string) => schemas[name] ?? name);
  const parameters = [parse(written)].flat().map((parameter: Declared) => ({
    name: 'p',
    in: 'query',
    ...(parameter['in'] === 'path' ? { required: true } : {}),
    ...parameter,
  }));
  const segments = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => `/{${name}}`);
  const { handler, calls } = recording();
  const { url } = await serveDocument({
    document: {
      openapi,
      paths: {
        [`/a${segments.join('')}`]: {
          get: { operationId: 'a', parameters, responses: { 200: { description: 'Fine' } } },
        },
      },
    },
    handlers: { a: handler },
  });
  const response = await ask(url, `/a${target}`, { headers });
  const [call] = calls;
  const values = call && { ...call.path, ...call.query, ...call.header, ...call.cookie };
  return { response, values };
};

/** The errors of the response; a message counts only where one is wanted. */
const errorsOf = (response: Response, wanted: readonly string[]): string[] =>
  JSON.parse(response.body).errors.map(
    ({ in: location, path, message }: Record<'in' | 'path' | 'message', string>, index: number) => {
      const place = `${location} ${path}`;
      return wanted[index] === place ? place : `${place} ${message}`;
    },
  );

/** A title, parameters, what is sent, and what comes of it. */
type Row = [
  title: string,
  declared: string,
  target: string,
  want: string,
  headers: Headers,
  openapi?: string | undefined,
];

/**
 * The rows of a file: below a title, parameters, and `NAME | TARGET | VALUES | HEADERS` for each request to them, with - for no
 * target. The values are those that the handler must be called with, or after `refused:` the errors of a 400: their places, or places with messages.
 */
const rowsOf = (file: string, openapi?: string): Row[] =>
  casesOf(join(__dirname, 'parameters', file)).flatMap(([title, lines]) => {
    let declared = '';
    return lines.flatMap((line): Row[] => {
      const [name = '', sent, want = '', headers = '{}'] = line.split(' | ');
      const target = sent === '-' ? '' : sent;
      if (target !== undefined) {
        return [[`${title}: ${name}`, declared, target, want, parse(headers), openapi]];
      }
      declared = line;
      return [];
    });
  });

/** Sends a row and holds what came of it against what is wanted. */
const checkRow = async (...[, declared, target, want, headers, openapi]: Row): Promise<void> => {
  const { response, values } = await readParameters(declared, target, headers, openapi);
  if (want.startsWith('refused: ')) {
    const faults = want.slice('refused: '.length).split('; ');
    expect([response.status, values]).toEqual([400, undefined]);
    expect(errorsOf(response, faults)).toEqual(faults);
  } else {
    expect([response.status, values]).toEqual([200, readValue(want)]);
  }
};

test.each(rowsOf('ours.cases.txt'))('%s', checkRow);

test('P24 too many pairs are refused', () =>
  checkRow(
    '',
    '{schema: {type: string}, required: true}',
    `?${'a&'.repeat(1001)}`,
    'refused: query  must not have more than 1000 parameters',
    {},
  ));
