/** The response of every operation to its good request: status, schema and effect, in every media type that it declares. */

import { describe, expect, test } from '@jest/globals';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parseStringPromise } from 'xml2js';
import { type Answered, readExactJson } from '../support/ask';
import { expectError } from '../support/error-body';
import { type ContractContext, expectStatus, send, storedRows } from './contract-context';
import type { ContractOperation } from './contract-operation';
import type { Changes } from './contract-request';
import { node, resolved } from './document-facts';
import { encodeXml } from './encode-xml';

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

/** Returns the faults of the body by an Ajv that is not the server's. */
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
  const { headers, bytes, text } = answered;
  expectStatus(operation, answered);
  expect(headers['content-length']).toBe(String(bytes.length));
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(text).not.toMatch(/password/i);
};

const accepting = (accept: string) => ({ asked: { accept } });

/** An id, where one would be assigned: which one would be depends on what the process has taken in advance. */
const withId = ({ document, body, example }: ContractOperation): Changes => {
  const { type, properties } = resolved(document, body?.schema);
  if (type !== 'object' || !('id' in node(properties))) return {};
  return { value: { id: 4711, ...node(example.body?.value) } };
};

const requestMedia = ({ body }: ContractOperation): readonly (string | undefined)[] =>
  body === undefined ? [undefined] : body.media;

/** Adds the cases. */
export const describeResponses = (context: ContractContext): void => {
  const { operations, services } = context;

  describe.each(operations.filter(({ success }) => success.media.length > 0))(
    '$id',
    (operation) => {
      const { media } = operation.success;

      test.each(requestMedia(operation))('answers %s in every media type', async (mediaType) => {
        const changes = mediaType === undefined ? {} : { mediaType, ...withId(operation) };
        const json = await send(context, operation, {
          ...changes,
          ...accepting('application/json'),
        });
        expectSuccess(operation, json);
        expectJson(operation, json);
        if (!media.includes('application/xml')) return;
        await services().reset();
        const xml = await send(context, operation, { ...changes, ...accepting('application/xml') });
        expectSuccess(operation, xml);
        await expectXml(operation, xml, json);
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
          await expectError(answered, 406, operation.texts.get(406));
          expect(await storedRows(context)).toEqual(before);
        },
      );
    },
  );

  const empty = operations.filter(({ success }) => success.media.length === 0);
  test.each(empty)('$id answers without content, whatever Accept says', async (operation) => {
    for (const accept of ['application/json', 'application/xml', 'image/png']) {
      await services().reset();
      const answered = await send(context, operation, accepting(accept));
      expectSuccess(operation, answered);
      expect(answered.text).toBe('');
      expect(answered.headers['content-type']).toBeUndefined();
    }
  });

  const manyMedia = operations.filter((operation) => requestMedia(operation).length > 1);
  test.each(manyMedia)('$id has the same effect in every media type', async (operation) => {
    const effects: unknown[] = [];
    for (const mediaType of operation.body?.media ?? []) {
      await services().reset();
      const answered = await send(context, operation, { mediaType, ...withId(operation) });
      expectStatus(operation, answered);
      effects.push([readExactJson(answered.text || 'null'), await storedRows(context)]);
    }
    for (const effect of effects) expect(effect).toEqual(effects[0]);
  });
};
