/** Few tools in place of many: operations are searched, described and called by name. */

import { describe, expect, test } from '@jest/globals';
import { agentOf } from '../../support/agent';

const text = { 200: { description: 'Fine', content: { 'text/plain': {} } } };

describe('where there are many operations', () => {
  const operation = (name: string, method: string) => ({
    [method]: {
      operationId: name,
      summary: `${name} of a thing`,
      tags: [name.startsWith('get') ? 'reading' : 'writing'],
      responses: text,
    },
  });
  const paths = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [
      `/things${index}`,
      { ...operation(`getThing${index}`, 'get'), ...operation(`makeThing${index}`, 'post') },
    ]),
  );
  const agent = () =>
    agentOf(
      { paths: { ...paths, '/orders': operation('getOrders', 'get') } },
      {
        getOrders: () => ({ status: 200, body: 'orders' }),
        makeThing3: () => ({ status: 200, body: 'made' }),
      },
    );

  test.each<[tool: string, given: object, told: RegExp, isError: boolean]>([
    [
      'search_operations',
      { words: 'order' },
      /^getOrders \(reads\): GET \/orders getOrders of a thing$/,
      false,
    ],
    [
      'search_operations',
      { words: 'make thing3' },
      /^makeThing3 \(changes\): POST \/things3 /,
      false,
    ],
    [
      'search_operations',
      {},
      /^31 operations\. Tags:\nreading: 16 operations\nwriting: 15 operations$/,
      false,
    ],
    ['search_operations', { words: 'zebra' }, /^No operation has these words/, false],
    ['search_operations', { tag: 'writing' }, /^makeThing0 \(changes\)/, false],
    [
      'describe_operation',
      { name: 'getOrders' },
      /^getOrders of a thing\n(?:.*\n)*GET \/orders\nArguments:\n\{"type":"object"/,
      false,
    ],
    [
      'describe_operation',
      { name: 'getOrder' },
      /^There is no operation getOrder\. Did you mean getOrders\?$/,
      true,
    ],
    ['call_reading_operation', { name: 'getOrders' }, /^orders$/, false],
    [
      'call_reading_operation',
      { name: 'makeThing3' },
      /^makeThing3 changes: call it with call_changing_operation$/,
      true,
    ],
    ['call_changing_operation', { name: 'makeThing3', arguments: {} }, /^made$/, false],
    ['call_changing_operation', { name: 'makeThing4' }, /^501/, true],
  ])('%s %j', async (tool, given, told, isError) => {
    const { call } = await agent();
    expect(await call(tool, given)).toMatchObject({ text: expect.stringMatching(told), isError });
  });

  test('an operation is no tool of its own', async () => {
    const { ask } = await agent();
    const { body } = await ask('tools/call', { name: 'getOrders' });
    expect(body.error).toEqual({ code: -32602, message: 'Unknown tool: getOrders' });
  });

  test('without changes there is no tool for them', async () => {
    const { tools } = await agentOf({ paths }, {}, { readOnly: true });
    expect((await tools()).length).toBe(15);
  });
});
