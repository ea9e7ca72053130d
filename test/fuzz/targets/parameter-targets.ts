/** Parameters of all styles and locations, given raw texts, and given written values that are changed at some places. */

import fc from 'fast-check';
import type { FuzzTarget } from '../../../scripts/fuzz/target';
import { requestFuel } from '../../../src/base/fuel';
import { caseArbitrary } from '../../../src/contract/tester/values/case-arbitrary';
import { parseApiDocument } from '../../../src/engine/document/api-document';
import { schemaContext } from '../../../src/engine/media-types/schema-context';
import {
  compileReadParameters,
  type RawParameters,
} from '../../../src/engine/parameters/parameters';
import { HttpError } from '../../../src/http/http-error';
import type { Operation } from '../../../src/model/operation';
import { encodeParameters } from '../../../src/requests/encode-parameters';
import type { RequestCase } from '../../../src/requests/request-case';
import { maxHeaderSize } from '../../../src/server/http/refuse-connection';
import { changeText, choicesOf } from './choices';
import { loadDocuments } from './schemas';
import { tokens } from './tokens';

const list = '{ type: array, items: { type: integer } }';
const object =
  '{ type: object, properties: { a: { type: integer }, b: { type: array, items: { type: string } } } }';
const union =
  '{ oneOf: [{ type: integer }, { type: array, items: { type: string } }, { type: object }] }';

const styles: readonly (readonly [location: string, style: string])[] = [
  ...['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'].map(
    (style) => ['query', style] as const,
  ),
  ...['simple', 'label', 'matrix'].map((style) => ['path', style] as const),
  ['header', 'simple'],
  ['cookie', 'form'],
  ['cookie', 'cookie'],
];

const wholes = [
  'application/x-www-form-urlencoded',
  'application/json',
  'application/xml',
  'application/jsonpath',
];

const wholeText = (mediaType: string, at: number): string =>
  `  /whole${at}: { get: { operationId: whole${at}, parameters: [{ name: v, in: querystring, content: { ${mediaType}: { schema: ${mediaType.endsWith('path') ? '{ type: string }' : object} } } }], responses: { '200': { description: Done } } } }`;

const operationText = (
  location: string,
  style: string,
  explode: boolean,
  schema: string,
  at: number,
) => {
  const path = location === 'path' ? `/p${at}/{v}` : `/p${at}`;
  const head = `name: v, in: ${location}, style: ${style}, explode: ${explode}, schema: ${schema}`;
  const parameter = `{ ${head}${location === 'path' ? ', required: true' : ''} }`;
  return `  ${path}: { get: { operationId: o${at}, parameters: [${parameter}], responses: { '200': { description: Done } } } }`;
};

const operationTexts = styles.flatMap(([location, style]) =>
  [true, false].flatMap((explode) =>
    [list, object, union].map((schema) => [location, style, explode, schema] as const),
  ),
);

const documentText = [
  "openapi: 3.2.0\ninfo: { title: Styles, version: '1' }\npaths:",
  ...operationTexts.map((parts, at) => operationText(...parts, at)),
  ...wholes.map(wholeText),
  "  /json: { get: { operationId: json, parameters: [{ name: v, in: query, content: { application/json: { schema: { type: object } } } }], responses: { '200': { description: Done } } } }",
].join('\n');

interface Subject {
  readonly operation: Operation;
  readonly read: ReturnType<typeof compileReadParameters>;
  readonly cases: fc.Arbitrary<RequestCase> | undefined;
  readonly encode: (given: RequestCase) => RawParameters;
}

const subjects = async (): Promise<Subject[]> => {
  const own = parseApiDocument('styles.yaml', documentText);
  const documents = [
    ...(await loadDocuments()),
    { operations: own.operations, tools: schemaContext(own) },
  ];
  return documents.flatMap(({ operations, tools }) =>
    operations
      .filter(({ parameters }) => parameters.length > 0)
      .map((operation) => ({
        operation,
        read: compileReadParameters(operation.parameters, tools),
        cases: caseArbitrary(operation, {
          tools,
          content: undefined,
          optional: true,
          examples: false,
        }),
        encode: ({ parameters }) =>
          encodeParameters(operation, (one) => parameters[one.in][one.name], tools),
      })),
  );
};

/** The texts are the path's, the query, the headers' and the cookie. */
const rawOf = (operation: Operation, texts: readonly string[]): RawParameters => {
  const [path = '', query = '', header = '', cookie = ''] = texts;
  const named = (location: string, text: string) =>
    Object.fromEntries(
      operation.parameters
        .filter((one) => one.in === location)
        .map(({ name }) => [location === 'header' ? name.toLowerCase() : name, text]),
    );
  return { path: named('path', path), query, headers: { ...named('header', header), cookie } };
};

const textsOf = ({ path, query, headers }: RawParameters): string[] => {
  const { cookie = '', ...others } = headers;
  return [
    Object.values(path)[0] ?? '',
    query,
    String(Object.values(others)[0] ?? ''),
    String(cookie),
  ];
};

const readAll = ({ operation, read }: Subject, texts: readonly string[]): void => {
  try {
    read(rawOf(operation, texts), requestFuel());
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== 'invalid-parameter') throw error;
  }
};

/** Bytes of a request line and headers. */
const longest = maxHeaderSize;

const texts = [
  '1,2',
  '.1.2',
  ';v=1;v=2',
  'v=1&v=2',
  'v[a]=1&v[b][]=x',
  'a=1&b=2',
  'v=1|2',
  'v={"a":1}',
];

/** The first byte chooses the operation; four lines are texts of the four locations. */
export const parameterBytes = async (): Promise<FuzzTarget> => {
  const all = await subjects();
  return {
    tokens: tokens.parameters,
    isTimed: true,
    longest,
    seeds: all.map((_subject, index) => {
      const text = texts[index % texts.length] ?? '';
      return Buffer.concat([Buffer.of(index), Buffer.from([text, text, text, text].join('\n'))]);
    }),
    run(input) {
      const subject = all[(input[0] ?? 0) % all.length];
      if (subject === undefined) throw new Error('There is no operation with parameters');
      readAll(subject, Buffer.from(input.subarray(1)).toString('latin1').split('\n'));
    },
  };
};

/** The choices are an operation, values of its parameters, and where their texts are changed. */
export const parameterStructure = async (): Promise<FuzzTarget> => {
  const all = await subjects();
  return {
    tokens: [],
    isTimed: true,
    longest,
    seeds: all.map((_subject, index) => Buffer.of(index, 0, index)),
    run(input) {
      const choices = choicesOf(input);
      const subject = choices.pick(all);
      const seed = choices.below(65_536);
      const given = subject.cases && fc.sample(subject.cases, { seed, numRuns: 1 })[0];
      const written = given === undefined ? '' : textsOf(subject.encode(given)).join('\n');
      readAll(subject, changeText(written, choices, tokens.parameters).split('\n'));
    },
  };
};
