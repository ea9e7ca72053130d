/** What every operation makes of requests that do not fit its document. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type ContractContext,
  expectRefusal,
  isBinary,
  send,
  storedRows,
} from './contract-context';
import { type ContractBody, type ContractOperation, faultStatus } from './contract-operation';
import type { Changes } from './contract-request';
import { type Node, node } from './document-facts';
import { wrongTexts, wrongValues } from './wrong-values';

type Case = readonly [
  title: string,
  operation: ContractOperation,
  changes: Changes,
  status: number,
];

const queryWith = (operation: ContractOperation, name: string, text: string): string => {
  const others = Object.entries(operation.example.query).filter(([key]) => key !== name);
  return [...others.map(([key, value]) => `${key}=${value}`), `${name}=${text}`].join('&');
};

const changesFor = (operation: ContractOperation, parameter: Node, text: string): Changes => {
  const name = String(parameter['name']);
  if (parameter['in'] === 'path') return { path: { [name]: text } };
  return { query: queryWith(operation, name, text) };
};

const parameterCases = (operation: ContractOperation): Case[] =>
  operation.parameters
    .filter((parameter) => parameter['in'] !== 'header')
    .flatMap((parameter) => {
      const schema = node(parameter['schema']);
      const status = faultStatus(operation, 'parameter');
      return wrongTexts(schema).map((text): Case => {
        const title = `${operation.id} with ${parameter['name']}=${text}`;
        return [title, operation, changesFor(operation, parameter, text), status];
      });
    });

const missingParameterCases = (operation: ContractOperation): Case[] =>
  operation.parameters
    .filter((parameter) => parameter['in'] === 'query' && parameter['required'] === true)
    .map(({ name }): Case => {
      const others = Object.entries(operation.example.query).filter(([key]) => key !== name);
      const query = others.map(([key, value]) => `${key}=${value}`).join('&');
      return [
        `${operation.id} without ${name}`,
        operation,
        { query },
        faultStatus(operation, 'parameter'),
      ];
    });

const malformed: Readonly<Record<string, readonly string[]>> = {
  'application/json': ['{', '{"name":"Rex",}', "{'name':1}", 'nothing', '\u0000', '[1'],
  'application/xml': [
    '<pet',
    '<pet></tep>',
    '<a/><b/>',
    'pet',
    '<pet>&unknown;</pet>',
    '<pet a=1/>',
  ],
  'application/x-www-form-urlencoded': ['name=%zz', 'name=%00', 'name=%ff'],
};

const malformedCases = (operation: ContractOperation, { media }: ContractBody): Case[] =>
  media.flatMap((mediaType) =>
    (malformed[mediaType] ?? []).map((raw): Case => {
      const title = `${operation.id} with ${mediaType} ${JSON.stringify(raw)}`;
      return [title, operation, { mediaType, raw }, faultStatus(operation, 'body')];
    }),
  );

const wrongValueCases = (operation: ContractOperation, body: ContractBody): Case[] => {
  const { document, example } = operation;
  const values = wrongValues(document, body.schema, example.body?.value);
  return body.media.flatMap((mediaType) =>
    values
      .filter(({ jsonOnly }) => mediaType === 'application/json' || !jsonOnly)
      .map(({ title, property, value }): Case => {
        const kind = property !== '' && property === body.identifier ? 'parameter' : 'body';
        const status = faultStatus(operation, kind);
        return [
          `${operation.id} in ${mediaType}: ${title}`,
          operation,
          { mediaType, value },
          status,
        ];
      }),
  );
};

const missingIdentifierCases = (operation: ContractOperation, body: ContractBody): Case[] => {
  if (body.identifier === undefined) return [];
  const { [body.identifier]: _, ...value } = node(operation.example.body?.value);
  return body.media.map((mediaType): Case => {
    const title = `${operation.id} in ${mediaType} without ${body.identifier}`;
    return [title, operation, { mediaType, value }, faultStatus(operation, 'parameter')];
  });
};

const missingBodyCases = (
  operation: ContractOperation,
  { media, required }: ContractBody,
): Case[] =>
  required
    ? [
        [
          `${operation.id} without a body`,
          operation,
          { withoutBody: true },
          faultStatus(operation, 'body'),
        ],
        ...media.map((mediaType): Case => {
          const title = `${operation.id} with an empty ${mediaType}`;
          return [title, operation, { mediaType, raw: '' }, faultStatus(operation, 'body')];
        }),
      ]
    : [];

const knownMedia = [
  'application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'text/csv',
  'application',
  '*/*',
  'application/*',
];

const unlistedCases = (operation: ContractOperation, { media }: ContractBody): Case[] => [
  ...knownMedia
    .filter((mediaType) => !media.includes(mediaType))
    .map((type): Case => {
      const title = `${operation.id} with ${type}`;
      return [title, operation, { raw: '{}', asked: { type } }, 415];
    }),
];

const bodyCases = (operation: ContractOperation): Case[] => {
  const { body } = operation;
  if (body === undefined) return [];
  const unlisted = unlistedCases(operation, body);
  if (isBinary(operation)) return unlisted;
  return [
    ...unlisted,
    ...missingBodyCases(operation, body),
    ...malformedCases(operation, body),
    ...wrongValueCases(operation, body),
    ...missingIdentifierCases(operation, body),
  ];
};

const casesOf = (operation: ContractOperation): Case[] => [
  ...parameterCases(operation),
  ...missingParameterCases(operation),
  ...bodyCases(operation),
];

/** Adds the cases. */
export const describeInput = (context: ContractContext): void => {
  const groups = context.operations
    .map((operation) => [operation.id, casesOf(operation)] as const)
    .filter(([, cases]) => cases.length > 0);

  describe.each(groups)(
    'what does not fit the document is refused, and changes nothing: %s',
    (_id, cases) => {
      let before: readonly Node[] = [];
      beforeAll(async () => {
        await context.services().reset();
        before = await storedRows(context);
      });
      afterAll(async () => expect(await storedRows(context)).toEqual(before));

      test.each(cases)('%s', async (_title, operation, changes, status) => {
        await expectRefusal(operation, status, (accept) =>
          send(context, operation, { ...changes, asked: { ...changes.asked, ...accept } }),
        );
      });
    },
  );

  const withBody = context.operations
    .filter(({ body }) => body !== undefined)
    .map((operation) => [operation.id, operation] as const);

  test.each(withBody)('%s refuses a body without a Content-Type with 415', (_, operation) =>
    expectRefusal(operation, 415, (accept) =>
      send(context, operation, { withoutBody: true, asked: { ...accept, body: '{}' } }),
    ),
  );
};
