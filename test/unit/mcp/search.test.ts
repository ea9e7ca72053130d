/** Few tools in place of many: operations are searched, described and called by name. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { agentOf } from '../../support/agent';
import { tableOf } from '../../support/text-cases';

const cases = join(__dirname, 'search.cases.txt');

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

  test.each(tableOf(cases, 'calls'))(
    '%s %s',
    async (tool = '', given = '', told = '', isError = '') => {
      const { call } = await agent();
      expect(await call(tool, JSON.parse(given))).toMatchObject({
        text: expect.stringMatching(told),
        isError: isError === 'true',
      });
    },
  );

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
