/** Results of calls: what agents get of the answers, long ones and those that lack credentials among them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { schemaContext } from '../../../src/engine';
import { type CallAnswer, McpServer } from '../../../src/mcp';
import { agentOf } from '../../support/agent';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'results.cases.txt');

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const string = { type: 'string' };

describe('results', () => {
  const resultOf = async (
    responses: object,
    answer: object,
    options: object = {},
    more: object = {},
  ) => {
    const agent = await agentOf(
      { paths: { '/a': { get: { operationId: 'call', responses, ...more } } } },
      { call: () => answer as never },
      options,
    );
    return agent.call('call', {});
  };

  test('an object is structured, and a text', async () => {
    const responses = {
      200: {
        description: 'Fine',
        ...json({ type: 'object', properties: { a: { type: 'integer', format: 'int32' } } }),
      },
    };
    const { text: told, structured } = await resultOf(responses, { status: 200, body: { a: 5 } });
    expect([told, structured]).toEqual(['{"a":5}', { a: 5 }]);
  });

  test('a list is an object of items', async () => {
    const responses = { 200: { description: 'Fine', ...json({ type: 'array', items: string }) } };
    const { text: told, structured } = await resultOf(responses, { status: 200, body: ['a'] });
    expect([told, structured]).toEqual(['["a"]', { items: ['a'] }]);
  });

  test('a failure is an error with status, sentence and body, and never structured', async () => {
    const problem = json({ type: 'object', properties: { message: string } });
    const responses = {
      200: { description: 'Fine', ...json({ type: 'object' }) },
      404: { description: 'No such thing', ...problem },
    };
    const {
      text: told,
      isError,
      structured,
    } = await resultOf(responses, { status: 404, body: { message: 'Gone' } });
    expect({ told, isError, structured }).toEqual({
      told: '404\n{"message":"Gone"}',
      isError: true,
      structured: undefined,
    });
  });

  test('no content is the status and its meaning', async () => {
    const { text: told } = await resultOf({ 204: { description: 'It is gone' } }, { status: 204 });
    expect(told).toBe('204 It is gone');
  });

  test('declared headers are told', async () => {
    const headers = { ETag: { schema: string } };
    const responses = { 200: { description: 'Fine', headers, ...json({}) } };
    const { text: told } = await resultOf(responses, {
      status: 200,
      body: 5,
      headers: { ETag: '"v1"', 'X-Other': 'a' },
    });
    expect(told).toBe('5\netag: "v1"');
  });

  test.each<[mediaType: string, content: object]>([
    ['image/png', { type: 'image', data: 'AQI=', mimeType: 'image/png' }],
    ['audio/wav', { type: 'audio', data: 'AQI=', mimeType: 'audio/wav' }],
    ['application/pdf', { type: 'text', text: '2 bytes of application/pdf' }],
  ])('%s', async (mediaType, content) => {
    const responses = {
      200: {
        description: 'Fine',
        content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } },
      },
    };
    const called = await resultOf(responses, { status: 200, body: Buffer.from([1, 2]) });
    expect(called.content).toEqual([content]);
  });

  test('XML is not asked for where there is anything else', async () => {
    const schema = { type: 'object', properties: { a: string } };
    const responses = {
      200: {
        description: 'Fine',
        content: { 'application/xml': { schema }, 'application/json': { schema } },
      },
    };
    expect((await resultOf(responses, { status: 200, body: { a: 'x' } })).text).toBe('{"a":"x"}');
  });
});

describe('what another program answers', () => {
  const server = async (responses: object = { 200: { description: 'Fine' } }, options = {}) => {
    const { loaded } = await agentOf({ paths: { '/a': { get: { operationId: 'a', responses } } } });
    return new McpServer(loaded, schemaContext(loaded), options);
  };
  const callOf = async (
    tools: McpServer,
    type: string,
    body: CallAnswer['body'],
    problems?: readonly string[],
  ) => {
    const message = { id: 1, method: 'tools/call', params: { name: 'a' } };
    const send = async () => ({
      status: 200,
      headers: [['Content-Type', type]] as const,
      body,
      problems,
    });
    return JSON.parse((await tools.answer(message, send))?.text ?? '').result;
  };

  test.each(
    valuesOf<[type: string, octets: string, text: string]>(cases, 'what another program answers'),
  )('%s %j', async (type, octets, text) => {
    const { content } = await callOf(await server(), type, Buffer.from(octets, 'latin1'));
    expect(content[0].text.endsWith(text)).toBe(true);
  });

  test.each<[problems: readonly string[] | undefined, structured: object | undefined]>([
    [[], { id: '9007199254740993' }],
    [['It breaks the document'], undefined],
    [undefined, undefined],
  ])('is structured where it is known to fit: %j', async (problems, structured) => {
    const responses = { 200: { description: 'Fine', ...json({ type: 'object' }) } };
    const tools = await server(responses, { outputs: false });
    const body = '{"id":9007199254740993}';
    const result = await callOf(tools, 'application/json', body, problems);
    expect(result.structuredContent).toEqual(structured);
  });
});

describe('what has no end', () => {
  const real = ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] as const;
  const doNotFake = [...real, 'performance', 'Date', 'hrtime'] as const;
  beforeEach(() => void jest.useFakeTimers({ doNotFake: [...doNotFake] }));
  afterEach(() => void jest.useRealTimers());

  /** Answers the call of an operation in fake time; the handler waits for what never comes. */
  const call = async (responses: object, handler: (signal: AbortSignal) => unknown) => {
    const { call } = await agentOf(
      { openapi: '3.2.0', paths: { '/a': { get: { operationId: 'a', responses } } } },
      {
        a: ({ client }: { client: { signal: AbortSignal } }) => handler(client.signal) as never,
      },
    );
    let isOver = false;
    const called = call('a').finally(() => {
      isOver = true;
    });
    while (!isOver) await jest.advanceTimersByTimeAsync(1000);
    return called;
  };
  const aborted = (signal: AbortSignal) =>
    new Promise((resolve) => signal.addEventListener('abort', resolve));

  test.each([
    ['text/event-stream', { data: 'first' }],
    ['application/jsonl', { data: 'first' }],
    ['multipart/mixed', { data: 'first' }],
  ])('%s: as much as comes in time, and its source ends', async (type, item) => {
    let isEnded = false;
    const content = { [type]: { itemSchema: { type: 'object' } } };
    const { text } = await call({ 200: { description: 'Fine', content } }, (signal) => ({
      status: 200,
      body: (async function* () {
        try {
          yield item;
          await aborted(signal);
        } finally {
          isEnded = true;
        }
      })(),
    }));
    expect(text).toContain('first');
    expect(text).toContain('of more than are read here');
    expect(isEnded).toBe(true);
  });

  test('a handler that does not answer is left, and told so', async () => {
    let isLeft = false;
    const { text, isError } = await call({ 200: { description: 'Fine' } }, async (signal) => {
      await aborted(signal);
      isLeft = true;
      return { status: 200 };
    });
    const told = 'The call failed: no whole answer within 60 seconds';
    expect({ text, isError, isLeft }).toEqual({ text: told, isError: true, isLeft: true });
  });
});

describe('a long result', () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({
    id: index,
    name: `item ${index} "quoted" \\ [1,2],{`,
  }));
  const query = [
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
    { name: 'state', in: 'query', schema: string },
  ];
  const list = {
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'integer' }, name: string } },
  };

  const longResult = async (schema: object, body: unknown, options: object = {}) => {
    const responses = { 200: { description: 'Fine', ...json(schema) } };
    const agent = await agentOf(
      { paths: { '/a': { get: { operationId: 'call', parameters: query, responses } } } },
      { call: () => ({ status: 200, body }) as never },
      options,
    );
    return agent.call('call', {});
  };

  test.each<[name: string, schema: object, body: unknown]>([
    ['a list', list, items],
    [
      'the longest list of an object',
      { type: 'object', properties: { total: { type: 'integer' }, few: list, items: list } },
      { total: 1000, few: items.slice(0, 2), items },
    ],
  ])('keeps whole items of %s, and says how many there are', async (_name, schema, body) => {
    const { told, text: said, structured, isError } = await longResult(schema, body);
    const [kept = '', note] = said.split('\n');
    const value = JSON.parse(kept) as { items?: unknown[] } | unknown[];
    const shown = Array.isArray(value) ? value : (value.items ?? []);
    expect({ shown, isError, note }).toEqual({
      shown: items.slice(0, shown.length),
      isError: false,
      note: `Items 1 to ${shown.length} of 1000; narrow with: query.limit, query.state`,
    });
    expect(shown.length).toBeGreaterThan(100);
    expect(structured).toEqual(Array.isArray(value) ? { items: value } : value);
    expect(told.text.length).toBeLessThan(33 * 1024);
  });

  test('as long as --max-result says', async () => {
    const { told } = await longResult({}, items, { maxResult: 2048 });
    expect(told.text.length).toBeLessThan(2048 + 300);
  });

  test('what is no list is cut as a text', async () => {
    const { text: said } = await longResult({}, 'é'.repeat(50_000), { outputs: false });
    expect(said).toMatch(
      /^"é+\nCharacters 1 to \d+ of 50002; narrow with: query\.limit, query\.state$/,
    );
  });

  test('an object that is cut keeps the promise of its schema', async () => {
    const { structured, isError } = await longResult(
      { type: 'object' },
      { text: 'x'.repeat(50_000) },
    );
    expect([structured, isError]).toEqual([{}, false]);
  });

  test('of 10 MB is read as far as there is room, and its source ends', async () => {
    let made = 0;
    let ended = false;
    const pages = async function* () {
      try {
        for (; made < 100_000; made += 100)
          yield Array.from({ length: 100 }, (_, at) => ({ id: made + at, name: 'x'.repeat(100) }));
      } finally {
        ended = true;
      }
    };
    const { text: said, told } = await longResult(list, pages());
    expect(said).toMatch(
      /\]\nItems 1 to \d+ of more than are read here; narrow with: query\.limit, query\.state$/,
    );
    expect({ ended, isShort: told.text.length < 33 * 1024, isLeft: made < 60_000 }).toEqual({
      ended: true,
      isShort: true,
      isLeft: true,
    });
  });
});

describe('credentials', () => {
  const document = parse(readFileSync(join(__dirname, 'results.yaml'), 'utf8'));
  const principal = (scopes: string[]) => ({
    subject: 'test',
    username: undefined,
    scopes,
    kind: 'test',
    credentialId: '1',
  });
  const security = {
    apiKey: (key: string) => (key === 'good' ? principal(['read']) : undefined),
    bearer: (token: string) => (token === 'weak' ? principal([]) : undefined),
  };
  const agent = () => agentOf(document, { call: () => ({ status: 200, body: 5 }) }, { security });

  test('are those of the message', async () => {
    const { call } = await agent();
    expect((await call('call', {}, { 'x-key': 'good' })).text).toBe('5');
  });

  test('that lack make the answer of HTTP, with its status and challenge', async () => {
    const { call } = await agent();
    const { told, isError, text: said } = await call('call', {});
    expect({
      isError,
      said,
      status: told.status,
      challenge: told.headers.get('www-authenticate'),
    }).toEqual({
      isError: true,
      said: expect.stringContaining('Credentials are required'),
      status: 401,
      challenge: expect.stringContaining('scope="read"'),
    });
  });

  test('without the scope are told which it is', async () => {
    const { call } = await agent();
    const { told, text: said } = await call('call', {}, { authorization: 'Bearer weak' });
    expect({ said, status: told.status, challenge: told.headers.get('www-authenticate') }).toEqual({
      said: expect.stringContaining('scope read is required'),
      status: 403,
      challenge: expect.stringMatching(/error="insufficient_scope", scope="read"/),
    });
  });
});
