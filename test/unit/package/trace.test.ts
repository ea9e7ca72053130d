/** The option `trace`: the parts of the work on a request, in hosts of both kinds. */

import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { until } from '../../../scripts/machine/until';
import type { Trace, TracedPart } from '../../../src/http/exchange';
import { openApiRouter, parseApiDocument } from '../../../src/package';
import { openApiFetch } from '../../../src/package/fetch';
import { listen } from '../../support/listen';

const text = `
openapi: 3.1.0
info: { title: Items, version: '1' }
servers: [{ url: /v1 }]
paths:
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, maximum: 99 } }]
      responses:
        '200': { description: It, content: { application/json: { schema: { type: integer } } } }
        '404': { description: None }
`;

const handlers = {
  async getItem({ path, fail }: { path: { id: number }; fail(status: number): Error }) {
    if (path.id === 7) throw fail(404);
    return { status: 200, body: path.id };
  },
};

/** Keeps the parts in the order of their beginnings and ends. */
const recorder = () => {
  const events: string[] = [];
  const parts: TracedPart[] = [];
  const trace: Trace = async (part, work) => {
    events.push(`${part.name} begins`);
    parts.push(part);
    try {
      return await work();
    } finally {
      events.push(`${part.name} ends`);
    }
  };
  return { events, parts, trace };
};

/** Asks for a path, and gives what a tracer has seen. */
type Follow = (path: string) => Promise<ReturnType<typeof recorder>>;

const inNode: Follow = async (path) => {
  const recorded = recorder();
  const { trace } = recorded;
  const router = await openApiRouter(parseApiDocument('items.yaml', text), handlers, {}, { trace });
  await fetch(`${await listen(createServer(router))}${path}`);
  return recorded;
};

const inFetch: Follow = async (path) => {
  const recorded = recorder();
  const { trace } = recorded;
  const answer = await openApiFetch(parseApiDocument('items.yaml', text), handlers, {}, { trace });
  await answer(new Request(`http://items.example${path}`));
  return recorded;
};

const whole = (...names: readonly string[]): readonly string[] => [
  'request begins',
  ...names.flatMap((name) => [`${name} begins`, `${name} ends`]),
  'request ends',
];

describe.each([
  ['node:http', inNode],
  ['the Fetch API', inFetch],
])('%s', (_, follow) => {
  test.each([
    ['/v1/items/1', ['authorization', 'validation', 'handler'], 200, undefined],
    ['/v1/items/7', ['authorization', 'validation', 'handler'], 404, 'declared'],
    ['/v1/items/100', ['authorization', 'validation'], 400, 'invalid-parameter'],
    ['/v1/else', [], 404, 'route-not-found'],
  ])('%s', async (path, names, status, code) => {
    const { events, parts } = await follow(path);
    // A response is there before the work on its request has ended.
    await until('the request ends', () => events.includes('request ends'));
    expect(events).toEqual(whole(...names));
    const [first] = parts;
    expect(first?.request).toMatchObject({ method: 'GET' });
    const outcome = first?.outcome;
    expect(outcome?.status).toBe(status);
    expect(outcome?.failure?.code).toBe(code);
    expect(outcome?.route).toBe(names.length > 0 ? '/v1/items/{id}' : undefined);
  });
});
