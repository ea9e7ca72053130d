/** `spec-first/mcp`: the operations of a document as tools for agents (Model Context Protocol). */

import { type ApiDocument, type SchemaContext, schemaContext } from '../engine';
import type { HttpRequest } from '../http/request';
import { isLocalOrigin, mcpEndpoint, withCredentialsOf } from './http';
import { type McpOptions, McpServer } from './protocol';
import type { CallAnswer } from './result';

export { isLocalOrigin, mcpEndpoint, withCredentialsOf } from './http';
export { CallFailure, type McpOptions, McpServer, type SendCall, userAgent } from './protocol';
export { askService, type CallAnswer } from './result';
export { serveLines } from './stdio';
export { missingIn, type ToolChoice } from './tools';

/** The options of `mcpFetch`. */
export interface McpFetchOptions extends Omit<McpOptions, 'url'> {
  /** The context that the document is served with; one of the document alone by default. */
  readonly tools?: SchemaContext;
  /**
   * Origins whose pages may call: those of this machine. The origin of a request is not asked, since any name may lead here (DNS rebinding).
   */
  readonly origins?: readonly string[];
}

/**
 * Makes the function that answers messages of the Model Context Protocol, to be mounted at a path such as `/mcp`.
 * @param document what `loadApiDocument` made
 * @param answer answers the requests of the document, as what `openApiFetch` made does; calls come with the credentials of their message
 * @example const mcp = mcpFetch(document, await openApiFetch(document, handlers));
 */
export const mcpFetch = (
  document: ApiDocument,
  answer: (request: Request) => Promise<Response>,
  { tools = schemaContext(document), origins, ...options }: McpFetchOptions = {},
): ((request: Request) => Promise<Response>) => {
  const server = new McpServer(document, tools, options);
  const allowsOrigin = (one: string): boolean => origins?.includes(one) ?? isLocalOrigin(one);
  return async (request) => {
    const { origin, pathname, search } = new URL(request.url);
    const { method, headers, body, signal } = request;
    const incoming: HttpRequest = {
      method,
      target: pathname + search,
      headers: {
        ...Object.fromEntries(headers),
        'transfer-encoding': 'chunked',
        'content-length': undefined,
      },
      body: body ?? { async *[Symbol.asyncIterator]() {} },
      signal,
      client: () => ({ address: '', secure: false }),
    };
    const endpoint = mcpEndpoint(server, { allowsOrigin });
    const response = await endpoint(
      incoming,
      async (call, _operation, aborted): Promise<CallAnswer> => {
        const outgoing = withCredentialsOf(incoming, call, document);
        const url = origin + document.basePath + outgoing.target;
        const answered = await answer(
          new Request(url, {
            method: outgoing.method,
            headers: outgoing.headers.map(([name, value]): [string, string] => [name, value]),
            ...(outgoing.body && { body: outgoing.body }),
            ...(aborted && { signal: aborted }),
          }),
        );
        const { status, headers: fields, body: content } = answered;
        return { status, headers: [...fields], body: content ?? undefined };
      },
    );
    const fields = Object.entries(response.headers);
    return new Response(response.body as string | undefined, {
      status: response.status,
      headers: fields.map(([name, value]): [string, string] => [name, String(value)]),
    });
  };
};
