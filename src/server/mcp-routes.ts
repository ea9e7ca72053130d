/** `POST BASE/mcp`: the operations of a service as tools for agents. Each call goes through the steps of a request of its own. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { lazy } from '../base/memoize';
import type { openApiService } from '../engine';
import type { PreparedService } from '../host/prepared-service';
import { NodeExchange } from '../http/exchange';
import { splitTarget } from '../http/request';
import type { SendCall } from '../mcp';
import { receivedRequest, withHeader } from '../requests/request-case';
import type { AppContext } from './app-context';
import { clientBehind } from './http/client-of';
import { mcpPath, type ResourceMetadata, resourceMetadataUrl } from './routes/resource-metadata';

/** Loads the tools when the first agent asks for them. */
const loadMcp = () => require('../mcp') as typeof import('../mcp');

/** Makes what answers messages of agents; it returns false for requests that are none. */
export const mcpRoutes = (
  service: Pick<ReturnType<typeof openApiService>, 'serve'>,
  { document, tools }: Pick<PreparedService, 'document' | 'tools'>,
  metadata: ResourceMetadata | undefined,
  { config, origin, bodies, spans }: Pick<AppContext, 'config' | 'origin' | 'bodies' | 'spans'>,
) => {
  const { basePath } = document;
  // That of the operation names the span of its own.
  const route = basePath + mcpPath;
  const { corsOrigins, production, maxBodyBytes, maxUploadBytes } = config;
  const clientOf = clientBehind(config.trustedProxies);
  const endpoint = lazy(() => {
    const { McpServer, mcpEndpoint, isLocalOrigin } = loadMcp();
    const isAllowed = (one: string): boolean =>
      one === origin || corsOrigins.some((allowed) => allowed === '*' || allowed === one);
    return mcpEndpoint(new McpServer(document, tools, { url: () => origin + basePath }), {
      allowsOrigin: (one) => isAllowed(one) || (!production && isLocalOrigin(one)),
      // A file is a third longer in base64.
      maxMessageBytes: maxBodyBytes + Math.ceil((maxUploadBytes * 4) / 3),
      bodies,
      metadataUrl: metadata && (() => resourceMetadataUrl(origin, basePath)),
    });
  });

  const callsOf =
    (exchange: NodeExchange): SendCall =>
    async (call, _operation, signal) => {
      const { outcome, host } = exchange;
      const { askService, withCredentialsOf } = loadMcp();
      const outgoing = withCredentialsOf(exchange, call, document);
      const named = withHeader(outgoing, 'X-Request-Id', exchange.requestId);
      const received = receivedRequest(named, { signal, client: () => exchange.client() });
      const answer = async () => {
        const response = await askService(service.serve.bind(service), received, { host, outcome });
        outcome.inner = response.status;
        return response;
      };
      // A message may belong to another trace than the request that it came in.
      const isTraced = call.headers.some(([name]) => name === 'traceparent');
      const follow = isTraced ? spans?.begin(received, outcome) : undefined;
      const answerInTrace = () => {
        outcome.trace = spans?.logFields() ?? {};
        return answer();
      };
      try {
        return await (follow?.(answerInTrace) ?? answer());
      } finally {
        outcome.route = route;
      }
    };

  return (
    request: IncomingMessage,
    response: ServerResponse,
    failed: (error: unknown) => void,
  ): boolean => {
    if (splitTarget(request.url ?? '/').path !== mcpPath) return false;
    const exchange = new NodeExchange(request, response, { clientOf });
    exchange.outcome.route = route;
    endpoint()(exchange, callsOf(exchange))
      .then((answer) => exchange.send(answer))
      .catch(failed);
    return true;
  };
};
