/** An agent: asks the tools of a document, served by handlers in this process, as clients of the protocol do. */

import { stringify } from 'yaml';
import { parseApiDocument } from '../../src/engine/document/api-document';
import { mcpFetch } from '../../src/mcp';
import { openApiFetch } from '../../src/package/fetch';

const version = '2026-07-28';
const prefix = 'io.modelcontextprotocol';

/** The metadata that each request says of itself. */
export const meta = {
  [`${prefix}/protocolVersion`]: version,
  [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
  [`${prefix}/clientCapabilities`]: {},
};

/** The result of a call, or the error of the protocol. */
export interface Told {
  readonly status: number;
  readonly headers: Headers;
  /** As it came, with all digits. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the form of what it asks for.
  readonly body: any;
}

/** The result of a tool, its texts in a row. */
export interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
  readonly content: readonly { readonly type: string; readonly [name: string]: unknown }[];
  readonly told: Told;
}

/** Makes the headers of a message. */
export const headersOf = (message: { readonly method: string; readonly params?: object }) => {
  const { name, uri } = (message.params ?? {}) as { readonly name?: string; readonly uri?: string };
  const named = name ?? uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(named === undefined ? {} : { 'mcp-name': named }),
  };
};

type Handlers = Parameters<typeof openApiFetch>[1];
type Options = NonNullable<Parameters<typeof mcpFetch>[2]>;

/**
 * Makes the agent of a document.
 * @param document `paths`, `components` …; `openapi` and `info` are filled in
 */
export const agentOf = async (
  document: object,
  handlers: Handlers = {},
  options: Options & { readonly security?: Parameters<typeof openApiFetch>[2] } = {},
) => {
  const { security = {}, ...choice } = options;
  const text = stringify({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, ...document });
  const loaded = parseApiDocument('specs/test.yaml', text);
  // Schemes that nothing verifies are told of.
  const log = { error: () => undefined };
  const answer = await openApiFetch(loaded, handlers, security, { log });
  const mcp = mcpFetch(loaded, answer, choice);
  const send = async (
    body: string,
    headers: Readonly<Record<string, string>>,
    method = 'POST',
  ): Promise<Told> => {
    const init = method === 'POST' ? { method, headers, body } : { method, headers };
    const response = await mcp(new Request('http://api.test/mcp', init));
    const text = await response.text();
    const read: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, text, body: read };
  };
  const ask = (
    method: string,
    params: object = {},
    more: Readonly<Record<string, string>> = {},
  ) => {
    const message = { jsonrpc: '2.0', id: 1, method, params: { _meta: meta, ...params } };
    return send(JSON.stringify(message), { ...headersOf({ method, params }), ...more });
  };
  const call = async (
    name: string,
    given?: object,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Called> => {
    const told = await ask('tools/call', { name, arguments: given }, more);
    const { content, isError = false, structuredContent } = told.body.result;
    const texts = (content as Called['content']).map(({ text }) => text).join('\n');
    return { text: texts, isError, structured: structuredContent, content, told };
  };
  const tools = async () => (await ask('tools/list')).body.result.tools as readonly ToolOfList[];
  return { loaded, send, ask, call, tools };
};

/** A tool of a list. */
export interface ToolOfList {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, of which tests look at parts.
  readonly inputSchema: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly outputSchema?: any;
  readonly annotations: Readonly<Record<string, boolean>>;
}
