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

type Case = readonly [title: string, changes: Changes, status: number];

/** The query of the good request with another text for one parameter, or without it. */
const queryWith = ({ example }: ContractOperation, name: string, text?: string): string =>
  Object.entries({ ...example.query, [name]: text })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .join('&');

const parameterCases = (operation: ContractOperation): Case[] =>
  operation.parameters.flatMap((parameter): Case[] => {
    const name = String(parameter['name']);
    const texts = wrongTexts(node(parameter['schema']));
    const status = faultStatus(operation, 'parameter');
    if (parameter['in'] === 'path') {
      return texts.map((text) => [`${name}=${text}`, { path: { [name]: text } }, status]);
    }
    if (parameter['in'] !== 'query') return [];
    const wrong = texts.map((text): Case => {
      return [`${name}=${text}`, { query: queryWith(operation, name, text) }, status];
    });
    if (parameter['required'] !== true) return wrong;
    return [...wrong, [`without ${name}`, { query: queryWith(operation, name) }, status]];
  });

const malformed: Readonly<Record<string, readonly string[]>> = {
  'application/json': ['{', '{"name":"Rex",}', 'nothing', '\u0000'],
  'application/xml': ['<pet', '<pet></tep>', 'pet', '<pet>&unknown;</pet>'],
  'application/x-www-form-urlencoded': ['name=%zz', 'name=%00', 'name=%ff'],
};

const knownMedia = [
  'application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
];

const unlistedCases = ({ media }: ContractBody): Case[] =>
  knownMedia
    .filter((mediaType) => !media.includes(mediaType))
    .map((type) => [type, { raw: '{}', asked: { type } }, 415]);

const wrongValueCases = (operation: ContractOperation, body: ContractBody): Case[] => {
  const { document, example } = operation;
  const values = wrongValues(document, body.schema, example.body?.value);
  return body.media.flatMap((mediaType) =>
    values
      .filter(({ jsonOnly }) => mediaType === 'application/json' || !jsonOnly)
      .map(({ title, property, value }): Case => {
        const kind = property !== '' && property === body.identifier ? 'parameter' : 'body';
        return [`${mediaType}: ${title}`, { mediaType, value }, faultStatus(operation, kind)];
      }),
  );
};

const missingIdentifierCases = (operation: ContractOperation, body: ContractBody): Case[] => {
  if (body.identifier === undefined) return [];
  const { [body.identifier]: _, ...value } = node(operation.example.body?.value);
  const status = faultStatus(operation, 'parameter');
  return body.media.map((mediaType) => [
    `${mediaType} without ${body.identifier}`,
    { mediaType, value },
    status,
  ]);
};

const bodyCases = (operation: ContractOperation): Case[] => {
  const { body } = operation;
  if (body === undefined) return [];
  if (isBinary(operation)) return unlistedCases(body);
  const raws = body.media.flatMap((mediaType) => {
    const texts = [...(body.required ? [''] : []), ...(malformed[mediaType] ?? [])];
    return texts.map((raw) => ({ mediaType, raw }));
  });
  const status = faultStatus(operation, 'body');
  return [
    ...unlistedCases(body),
    ...(body.required ? [['no body', { withoutBody: true }, status] as const] : []),
    ...raws.map((raw): Case => [JSON.stringify(raw), raw, status]),
    ...wrongValueCases(operation, body),
    ...missingIdentifierCases(operation, body),
  ];
};

/** Adds the cases. */
export const describeInput = (context: ContractContext): void => {
  const groups = context.operations
    .map((operation) => {
      const cases = [...parameterCases(operation), ...bodyCases(operation)];
      return { id: operation.id, operation, cases };
    })
    .filter(({ cases }) => cases.length > 0);

  describe.each(groups)('$id refuses, and changes nothing', ({ operation, cases }) => {
    let before: readonly Node[] = [];
    beforeAll(async () => {
      await context.services().reset();
      before = await storedRows(context);
    });
    afterAll(async () => expect(await storedRows(context)).toEqual(before));

    test.each(cases)('%s', async (_title, changes, status) => {
      await expectRefusal(operation, status, (accept) =>
        send(context, operation, { ...changes, asked: { ...changes.asked, ...accept } }),
      );
    });

    if (operation.body === undefined) return;
    test('a body without a Content-Type', () =>
      expectRefusal(operation, 415, (accept) =>
        send(context, operation, { withoutBody: true, asked: { ...accept, body: '{}' } }),
      ));
  });
};
