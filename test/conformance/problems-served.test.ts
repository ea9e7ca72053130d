/** The operations that a fault of a document stops, and the others, over HTTP. */

import { describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, errorOf, recording } from './ask';

const ok = { 200: { description: 'Fine' } };

/** Asks the operation at fault and the one beside it. */
const serve = async (lost: object, rest: object = {}) => {
  const { handler, calls } = recording();
  const { url, document } = await serveDocument({
    document: {
      paths: {
        '/lost': { post: { operationId: 'lost', responses: ok, ...lost } },
        '/kept': { get: { operationId: 'kept', responses: ok } },
      },
      ...rest,
    },
    handlers: { lost: handler, kept: handler },
  });
  const answer = await ask(url, '/lost', { method: 'POST' });
  const kept = await ask(url, '/kept');
  return { answer, kept: kept.status, calls: calls.length, document };
};

const inContent = (schema: unknown) => ({
  responses: { 200: { description: 'A', content: { 'application/json': { schema } } } },
});
const shared = { $ref: '#/components/schemas/A' };

describe('D10 an error stops what it touches', () => {
  test.each<[title: string, lost: object, rest: object, cause: string]>([
    [
      'parameters that are no list',
      { parameters: {} },
      {},
      'Write `parameters` as a list of parameters; it is an empty map.',
    ],
    [
      'a parameter without a name',
      { parameters: [{ in: 'query', schema: {} }] },
      {},
      'Add the required field `name` to this parameter.',
    ],
    [
      'a schema that is text',
      inContent('string'),
      {},
      'Write `schema` as a schema; it is the text "string".',
    ],
    [
      'a faulty schema behind references',
      inContent({ items: shared }),
      { components: { schemas: { A: { properties: { b: { minItems: -1 } } } } } },
      'Write `minItems` as a whole number from 0; it is the number -1.',
    ],
    [
      'a component that is no schema',
      inContent(shared),
      { components: { schemas: { A: 'x' } } },
      'The reference #/components/schemas/A cannot be resolved: the document has nothing there',
    ],
    [
      'security that is no list',
      { security: { key: [] } },
      {},
      'Write `security` as a list of security requirements; it is a map.',
    ],
    [
      'a scheme that cannot be checked',
      { security: [{ key: [] }] },
      { components: { securitySchemes: { key: { type: 'http' } } } },
      'Add the required field `scheme` to this security scheme.',
    ],
    [
      'another operation in its place',
      { $ref: '#/nope' },
      {},
      'Write out the target of #/nope; OpenAPI 3.0 allows no reference in place of this operation.',
    ],
  ])('D10 %s', async (_title, lost, rest, cause) => {
    const { answer, kept, calls } = await serve(lost, rest);
    expect(errorOf(answer)).toEqual({ code: 501, type: 'not-implemented', message: cause });
    expect([kept, calls]).toEqual([200, 1]);
  });

  test('S06 security of the whole document that is no list stops what relies on it', async () => {
    const { answer, kept } = await serve({ security: [] }, { security: { key: [] } });
    expect([answer.status, kept]).toEqual([200, 501]);
  });

  test.each<[title: string, lost: object, rest: object]>([
    ['texts that are none', { summary: [], description: {}, tags: [{}], externalDocs: 5 }, {}],
    ['a response without description', { responses: { 200: {} } }, {}],
    [
      'exclusive examples',
      { parameters: [{ name: 'q', in: 'query', schema: {}, example: 1, examples: 5 }] },
      {},
    ],
    ['links and callbacks that lead nowhere', { callbacks: { c: { $ref: '#/nope' } } }, {}],
    ['an empty body and empty parameters', { requestBody: null, parameters: null }, {}],
    ['unknown fields', { produces: ['text/plain'] }, {}],
    ['components that nothing needs', {}, { components: { schemas: { A: 'x', B: { type: 5 } } } }],
    ['a frame that is none', {}, { info: 5, tags: 5, externalDocs: [], servers: 5 }],
    ['what answers other requests', {}, { 'x-fallback-response': { $ref: '#/nope' } }],
    [
      'path parameters that stand in no template',
      { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] },
      {},
    ],
    ['servers without URL', {}, { servers: [{}] }],
  ])('D10 %s stop nothing', async (_title, lost, rest) => {
    const { answer, kept, document } = await serve(lost, rest);
    expect([answer.status, kept]).toEqual([200, 200]);
    expect(document.diagnostics.length).toBeGreaterThan(
      document.diagnostics.filter(({ rule }) => rule === 'unserved-operation').length,
    );
  });
});

test('D13 a document without a title is served under its name', async () => {
  const { document } = await serve({}, { info: {} });
  expect(document.definition.info).toEqual({ title: 'test', version: '' });
});

test('D10 a document with nothing to serve says so', async () => {
  const { document } = await serveDocument({ document: { paths: {} } });
  expect(document.diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: The document has no operation, and every request is answered 404. Add one under `paths`.',
  ]);
});
