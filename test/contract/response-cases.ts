/** What every operation answers to its good request: status, schema and effect, in every media type that it declares. */

import { describe, expect, test } from '@jest/globals';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parseStringPromise } from 'xml2js';
import { type Answered, readExactJson } from '../support/ask';
import { expectError } from '../support/error-body';
import { type ContractContext, send, storedRows } from './contract-context';
import type { ContractOperation } from './contract-operation';
import { node } from './document-facts';
import { encodeXml } from './encode-body';

type Named = readonly [string, ContractOperation];

/** Required properties that are `writeOnly` are not required of answers (OAS 3.0.3, Schema Object). */
const schemaOfAnswers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(schemaOfAnswers);
  if (typeof value !== 'object' || value === null) return value;
  const changed = Object.entries(value).map(([key, entry]) => [key, schemaOfAnswers(entry)]);
  const { required, ...rest } = node(Object.fromEntries(changed));
  if (!Array.isArray(required)) return { ...rest, ...(required === undefined ? {} : { required }) };
  const properties = node(rest['properties']);
  const answered = required.filter((name) => node(properties[name])['writeOnly'] !== true);
  return { ...rest, required: answered };
};

/** What is wrong with the body by an Ajv that is not the server's; nothing where it fits. */
const faultsOf = ({ document, success }: ContractOperation, body: unknown): string => {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
  ajv.addSchema({ ...node(schemaOfAnswers(document)), $id: 'document' });
  const text = JSON.stringify(success.schema).replaceAll('"#/', '"document#/');
  const fits = ajv.compile(node(JSON.parse(text)));
  return fits(body) ? '' : ajv.errorsText(fits.errors);
};

const expectJson = (operation: ContractOperation, answered: Answered): void => {
  expect(answered.headers['content-type']).toBe('application/json');
  expect(faultsOf(operation, JSON.parse(answered.text))).toBe('');
};

/** XML says what JSON says, by the names of the document. */
const expectXml = async (
  { document, success }: ContractOperation,
  answered: Answered,
  json: Answered,
): Promise<void> => {
  expect(answered.headers['content-type']).toBe('application/xml; charset=utf-8');
  // Each login has a token of its own.
  if (success.schema['type'] === 'string') {
    expect(answered.text).toMatch(/<string>[\w-]{43}<\/string>$/);
    return;
  }
  const expected = encodeXml(document, success.schema, readExactJson(json.text));
  expect(await parseStringPromise(answered.text)).toEqual(await parseStringPromise(expected));
};

const expectSuccess = (operation: ContractOperation, answered: Answered): void => {
  const { status, headers, bytes, text } = answered;
  expect([status, text]).toEqual([operation.success.status, text]);
  expect(headers['content-length']).toBe(String(bytes.length));
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(text).not.toMatch(/password/i);
};

const accepting = (accept: string) => ({ asked: { accept } });

const requestMedia = ({ body }: ContractOperation): readonly (string | undefined)[] =>
  body === undefined ? [undefined] : body.media;

const describeContent = (context: ContractContext, operations: readonly Named[]): void => {
  describe.each(operations)('%s', (_, operation) => {
    const { media } = operation.success;

    test.each(requestMedia(operation))('answers %s in every media type', async (mediaType) => {
      const changes = mediaType === undefined ? {} : { mediaType };
      const json = await send(context, operation, { ...changes, ...accepting('application/json') });
      expectSuccess(operation, json);
      expectJson(operation, json);
      for (const accept of media.filter((type) => type === 'application/xml')) {
        await context.services().reset();
        const xml = await send(context, operation, { ...changes, ...accepting(accept) });
        expectSuccess(operation, xml);
        await expectXml(operation, xml, json);
      }
    });

    test('answers JSON where there is no Accept', async () => {
      const answered = await send(context, operation);
      expectSuccess(operation, answered);
      expectJson(operation, answered);
    });

    test.each(['image/png', ...(media.includes('application/xml') ? [] : ['application/xml'])])(
      'refuses Accept: %s with 406',
      async (accept) => {
        const before = await storedRows(context);
        const answered = await send(context, operation, accepting(accept));
        const { message } = await expectError(answered, 406);
        expect(message).toBe(operation.texts.get(406) ?? message);
        expect(await storedRows(context)).toEqual(before);
      },
    );
  });
};

/** Adds the cases. */
export const describeResponses = (context: ContractContext): void => {
  const named = context.operations.map((operation): Named => [operation.id, operation]);
  describeContent(
    context,
    named.filter(([, { success }]) => success.media.length > 0),
  );

  const empty = named.filter(([, { success }]) => success.media.length === 0);
  test.each(empty)('%s answers without content, whatever Accept says', async (_, operation) => {
    for (const accept of ['application/json', 'application/xml', 'image/png']) {
      await context.services().reset();
      const answered = await send(context, operation, accepting(accept));
      expectSuccess(operation, answered);
      expect(answered.text).toBe('');
      expect(answered.headers['content-type']).toBeUndefined();
    }
  });

  const manyMedia = named.filter(([, operation]) => requestMedia(operation).length > 1);
  test.each(manyMedia)('%s has the same effect in every media type', async (_, operation) => {
    const effects: unknown[] = [];
    for (const mediaType of operation.body?.media ?? []) {
      await context.services().reset();
      const { status, text } = await send(context, operation, { mediaType });
      expect([status, text]).toEqual([operation.success.status, text]);
      effects.push([readExactJson(text || 'null'), await storedRows(context)]);
    }
    for (const effect of effects) expect(effect).toEqual(effects[0]);
  });
};
