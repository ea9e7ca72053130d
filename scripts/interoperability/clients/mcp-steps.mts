/** What clients of the Model Context Protocol do with the tools of the pet store, whichever SDK and transport they have. */

import assert from 'node:assert/strict';
import { settings } from './settings.mjs';

/** The part of the clients of both SDKs that the steps take. */
interface ToolClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: object | undefined }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(resource: { uri: string }): Promise<{ contents: object[] }>;
  close(): Promise<void>;
}

/** The members of a result that both SDKs type with more than the steps need. */
interface ToolResult {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: { readonly id?: number };
  readonly isError?: boolean;
}

const { origin, tokens, apiKey, command, root } = settings();

/** The place of the served pet store's tools, and the credentials for all of them. */
export const endpoint = new URL(`${origin}/petstore/mcp`);
export const requestInit = {
  headers: { Authorization: `Bearer ${tokens.petstore}`, api_key: apiKey },
};

/** The program that has the tools of its mocks on stdio. */
export const program = { command: command[0] ?? '', args: command.slice(1), cwd: root };

/** Connects a client, takes the steps, and closes it; what differs from the protocol or the document becomes an error with its name. */
export const takeSteps = async (
  name: string,
  client: ToolClient,
  connect: () => Promise<void>,
): Promise<void> => {
  const call = (tool: string, input: Record<string, unknown>) =>
    client.callTool({ name: tool, arguments: input }) as Promise<ToolResult>;
  try {
    await connect();
    const { tools } = await client.listTools();
    const getPet = tools.find((tool) => tool.name === 'getPetById');
    assert.ok(getPet?.outputSchema, 'The list lacks getPetById with the schema of its results');

    const body = { name: 'Mia', photoUrls: ['m.png'], status: 'pending' };
    const { structuredContent: added } = await call('addPet', { body });
    assert.deepEqual({ ...added, id: 0 }, { id: 0, ...body }, 'addPet does not return the pet');
    const read = await call('getPetById', { path: { petId: String(added?.id) } });
    assert.equal(read.isError ?? false, false, `getPetById fails: ${read.content[0]?.text}`);
    assert.deepEqual(read.structuredContent, added, 'getPetById does not return the added pet');
    assert.deepEqual(JSON.parse(read.content[0]?.text ?? ''), added, 'Its text is another pet');

    const refused = await call('getPetById', { path: { petId: 'x' } });
    assert.equal(refused.isError, true, 'A petId that is no number is not refused');
    assert.match(refused.content[0]?.text ?? '', /petId/, 'The refusal does not name petId');

    const unknown = call('getUnicorn', {});
    await assert.rejects(unknown, { code: -32602 }, 'An unknown tool is no error -32602');

    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    assert.deepEqual(uris, ['openapi://petstore'], 'The resources are not the document alone');
    const { contents } = await client.readResource({ uri: 'openapi://petstore' });
    const [text] = contents.map((content) => String(Reflect.get(content, 'text')));
    assert.match(JSON.parse(text ?? '').openapi, /^3\./, 'The resource is no OpenAPI document');
  } catch (error) {
    throw new Error(`${name}: ${error}`, { cause: error });
  } finally {
    await client.close();
  }
};
