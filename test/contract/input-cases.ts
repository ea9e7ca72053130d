/** Responses of every operation to invalid requests. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyOptions, bodyPlan } from '../../src/contract/tester/values/case-arbitrary';
import { absent } from '../../src/contract/tester/values/values';
import { wrongValues } from '../../src/contract/tester/values/wrong-values';
import { requestWriter } from '../../src/requests/write-request';
import {
  type ContractContext,
  expectRefusal,
  isBinary,
  send,
  storedRows,
} from './contract-context';
import { type ContractBody, type ContractOperation, faultStatus } from './contract-operation';
import { bodyCase, type Changes } from './contract-request';
import { type Node, node } from './document-facts';

const undecodable = ['%00', '%zz', '%ff'];
const noIntegers = [
  'abc',
  '1.0',
  '0x10',
  '+1',
  '1e3',
  '%201',
  '1%20',
  '1_0',
  '--1',
  '1n',
  '%D9%A1',
];

/** Raw texts that do not fit a parameter's schema. */
const wrongTexts = (schema: Node): readonly string[] => [
  ...undecodable,
  ...(schema['type'] === 'integer' ? [...noIntegers, '9223372036854775808'] : []),
  ...('enum' in schema ? ['none', 'Available', ''] : []),
];

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

/** The value with another one at the path, where `*` stands for the first item of a list. */
const withValue = (good: unknown, [step, ...path]: readonly string[], wrong: unknown): unknown => {
  if (step === undefined) return wrong;
  if (Array.isArray(good)) return [withValue(good[0], path, wrong), ...good.slice(1)];
  const { [step]: inner, ...rest } = node(good);
  const value = withValue(inner, path, wrong);
  return value === absent ? rest : { ...rest, [step]: value };
};

/** The good body with one rule broken, at each place and in each media type in which it then is not valid. */
const wrongValueCases = (operation: ContractOperation, body: ContractBody): Case[] => {
  const { declared, tools, example } = operation;
  const write = requestWriter(declared, tools);
  const parameters = {
    path: example.path,
    query: example.query,
    header: example.header,
    cookie: {},
    querystring: {},
  };
  return body.media.flatMap((mediaType) => {
    const good = bodyCase(operation, mediaType, example.body?.value);
    const plan = bodyPlan(declared, good.content);
    return wrongValues(plan, bodyOptions(tools)).flatMap(({ path, broken, value: wrong }) => {
      const kind = path.length > 0 && path[0] === body.identifier ? 'parameter' : 'body';
      const title = `${mediaType}: ${broken} of /${path.join('/')}`;
      // In XML a list in place of an object is an element without properties: another fault.
      const isElement = mediaType === 'application/xml' && path.length === 0 && broken === 'type';
      const values = fc.sample(wrong, { numRuns: 1, seed: 1 });
      const telling = isElement ? values.filter((one) => !Array.isArray(one)) : values;
      return telling.flatMap((one): Case[] => {
        const value = withValue(good.value, path, one);
        const written = write({ operation: declared, parameters, body: { ...good, value } });
        if (written === undefined || written.isValid) return [];
        const raw = written.request.body ?? '';
        return [[title, { mediaType, raw }, faultStatus(operation, kind)]];
      });
    });
  });
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
