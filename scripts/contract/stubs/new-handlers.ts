/** The handlers of a new service: they serve the document that it begins with. */

import { typeImport } from '../../../src/tool/stubs/print-stub';

/** The folder that the modules import from: `../../src`. */
type SourcePath = string;

/** `collections.ts`: what the service stores. */
export const newCollections = (
  source: SourcePath,
): string => `/** The collections of the service. */

${typeImport('Collections, HandlerDependencies', `${source}/host/handler-dependencies`)}
${typeImport('Schemas', './types')}

export const collections = {
  items: { schema: 'Item', files: { read: 'getItem' } },
} as const satisfies Collections<Schemas>;

/** The arguments of the factories of handlers of this service. */
export type Dependencies = HandlerDependencies<typeof collections, Schemas>;
`;

/** `demo.ts`: the item that the examples of the document ask for. */
export const newDemo = (source: SourcePath): string => `/** Items to try the service with. */

${typeImport('DemoData', `${source}/host/handler-dependencies`)}
${typeImport('collections', './collections')}
${typeImport('Schemas', './types')}

export const demo: DemoData<typeof collections, Schemas> = {
  items: [{ id: 1n, name: 'A first item', createdBy: 'demo' }],
};
`;

/** `item.test.ts`: a test of the handlers. */
export const newTest = (
  source: SourcePath,
  name: string,
): string => `/** Tests of the operations tagged \`item\`. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { openTestService, type TestService } from '${source}/testing';

let service: TestService;
beforeAll(async () => {
  service = await openTestService('${name}');
});
afterAll(() => service.close());

test('an item is stored once under its id', async () => {
  const item = { id: 7, name: 'Another item' };
  const path = '/${name}/items';
  const headers = service.as('demo');
  await request(service.app).post(path).set(headers).send(item).expect(201);
  await request(service.app).post(path).set(headers).send(item).expect(409);
  const { body } = await request(service.app).get(\`\${path}/7\`).set(headers);
  expect(body).toEqual({ ...item, createdBy: 'demo' });
});
`;

/** `item.ts`: the handlers. */
export const newHandlers = (source: SourcePath): string => `/** The operations tagged \`item\`. */

${typeImport('Handlers', `${source}/engine`)}
${typeImport('Dependencies', './collections')}
${typeImport('ItemOperations', './types')}

/** Handlers of the operations tagged \`item\`. */
export const itemHandlers = ({ items }: Dependencies): Handlers<ItemOperations> => ({
  async listItems({ query }) {
    return { status: 200, body: await items.page(query) };
  },

  async createItem({ body, principal, fail }) {
    const item = await items.insert({ ...body, createdBy: principal.username });
    if (!item) throw fail(409);
    return { status: 201, body: item };
  },

  async getItem({ path, fail }) {
    const item = await items.get(path.itemId);
    if (!item) throw fail(404);
    return { status: 200, body: item };
  },

  async deleteItem({ path, fail }) {
    if (!(await items.delete(path.itemId))) throw fail(404);
    return { status: 204 };
  },

  async putPicture({ path: { itemId }, body, principal, fail }) {
    await items.attach(itemId, body, (old, picture) => ({ ...old, picture }), principal.subject);
    const item = await items.get(itemId);
    if (!item) throw fail(404);
    return { status: 200, body: item };
  },
});
`;
