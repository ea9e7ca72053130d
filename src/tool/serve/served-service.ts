/** Makes what answers requests: a service for each document, and the pages beside them, which have no scripts. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Html, type HtmlPart, html } from '../../base/html/html';
import { headLines, plainPageHeaders, styleElement } from '../../base/html/page-style';
import { lazy } from '../../base/memoize';
import { joinInSteps } from '../../base/run-in-steps';
import { defaultErrors, type SchemaContext, schemaContext } from '../../engine';
import { mockedOperations } from '../../host/handler-report';
import { type PreparedService, servingHandlers } from '../../host/prepared-service';
import type { openServiceData } from '../../host/service-data';
import { giveUp, NodeExchange, type Routes } from '../../http/exchange';
import { type ServiceLog, sendFailure } from '../../http/failure';
import { methodNotAllowed } from '../../http/http-error';
import { headFault, splitTarget, targetBelow } from '../../http/request';
import { type HttpResponse, send } from '../../http/send';
import { mockCredentials } from '../../mock';
import {
  type MediaType,
  type Operation,
  type Parameter,
  requestMethod,
} from '../../model/operation';
import { openApiRouter } from '../../package';
import { curlLine, exampleOf, lineText, type Sampler, sampler } from './curl-line';

/** A service that answers requests. */
export interface ServedService extends PreparedService {
  readonly router: Awaited<ReturnType<typeof openApiRouter>>;
  /** The operations that mocks answer. */
  readonly mocked: ReadonlySet<Operation>;
}

/** The settings by which documents are served. */
export interface ServeSettings {
  /** Files, folders and URLs of documents. */
  readonly sources: readonly string[];
  readonly allowRemote?: boolean;
  /** The folder of the handlers; undefined: all operations are mocked. */
  readonly handlers?: string | undefined;
  readonly validateResponses?: boolean;
  /** The seed of the first items of mocks. */
  readonly seed?: number;
  /** The file that keeps the items of mocks. */
  readonly state?: string;
  readonly docs: boolean;
  readonly log: ServiceLog;
  /** Returns the address that the server is reached at. */
  readonly originOf: () => string;
  /** Opens what handlers keep, once. */
  readonly openData: () => ReturnType<typeof openServiceData>;
}

/** Serves a document; operations without a handler are mocked. */
export const serveService = async (
  service: PreparedService,
  settings: Pick<ServeSettings, 'validateResponses' | 'seed' | 'state' | 'log' | 'openData'>,
): Promise<ServedService> => {
  const { validateResponses = false, seed, state: file, log, openData } = settings;
  const { document, modules, mocks, securityHandlers } = service;
  const memory = { ...(seed !== undefined && { seed }), ...(file !== undefined && { file }) };
  const keeps = Object.keys(modules.collections).length > 0 || modules.accounts !== undefined;
  if (keeps) await (await openData()).connect(service);
  const router = await openApiRouter(
    // Its diagnostics have been printed.
    { ...document, diagnostics: [] },
    Object.fromEntries(servingHandlers(service)),
    { ...mockCredentials(document), ...securityHandlers },
    { mocks, memory, validateResponses, log },
  );
  return { ...service, router, mocked: new Set(mockedOperations(service)) };
};

const paragraph = (text: string | undefined): HtmlPart => text && html`<p>${text}</p>\n`;

const parameterRow = ({ name, in: place, required, schema, description }: Parameter): Html => {
  const { types = [], format, enum: values } = schema;
  const choice = values && `one of ${values.map(lineText).join(', ')}`;
  const type = [types.join(' or '), format, choice].filter(Boolean).join(', ');
  return html`<tr><td><code>${name}</code></td><td>${place}${required && ', required'}</td><td>${type}</td><td>${description}</td></tr>\n`;
};

const contents = (content: readonly MediaType[], sample: Sampler): HtmlPart =>
  content.map((entry) => {
    const example = exampleOf(entry, sample);
    return html`<details><summary><code>${entry.key}</code>${entry.schema?.component !== undefined && html` ${entry.schema.component}`}</summary><pre tabindex="0"><code>${example}</code></pre></details>\n`;
  });

const operationPart = (
  { document, mocked }: ServedService,
  operation: Operation,
  url: string,
  sample: Sampler,
  tools: SchemaContext,
): Html => {
  const { operationId, method, path, summary, description } = operation;
  const { parameters, requestBody, responses } = operation;
  const parameterTable: HtmlPart =
    parameters.length > 0 &&
    html`<h4>Parameters</h4>\n<table><tr><th>Name</th><th>Place</th><th>Type</th><th>Description</th></tr>\n${parameters.map(parameterRow)}</table>\n`;
  return html`<section class="item" id="${operationId}">
<h3><span class="method ${method}">${requestMethod(method)}</span> <a class="path" href="#${operationId}">${path}</a></h3>
${paragraph(summary)}${operation.deprecated && html`<p><strong>Deprecated</strong></p>\n`}${paragraph(description)}<p class="limits"><code>${operationId}</code>${mocked.has(operation) && ' · mocked: without a handler'}</p>
${operation.invalidReason !== undefined && html`<p class="warning">Not served: ${operation.invalidReason}</p>\n`}${parameterTable}${requestBody !== undefined && html`<h4>Body${!requestBody.required && ' (optional)'}</h4>\n${paragraph(requestBody.description)}${contents(requestBody.content, sample)}`}<h4>Responses</h4>
${responses.map(({ key, description: text, content }) => html`<p><strong>${key}</strong> ${text}</p>\n${contents(content, sample)}`)}<h4>Try it</h4>
<pre tabindex="0"><code>${curlLine(document, operation, url, sample, tools)}</code></pre>
</section>
`;
};

/** Writes a page: its first lines, its content and its end. */
function* pageText(title: string, content: Iterable<Html>): Iterable<string> {
  yield html`<!doctype html>\n<html lang="en">\n<head>\n${headLines(title)}\n${styleElement}\n</head>\n<body>\n<main class="alone">\n`
    .html;
  for (const part of content) yield part.html;
  yield '</main>\n</body>\n</html>\n';
}

/** Makes the parts of the page of a document, one for each operation. */
function* docsContent(service: ServedService, url: string): Iterable<Html> {
  const { document } = service;
  const tools = schemaContext(document);
  const sample = sampler(tools);
  const { title, version, description } = document.info;
  yield html`<h1>${title} <span class="version">${version}</span></h1>
${paragraph(description)}<p><code>${url}</code> · <a href="../openapi.yaml">YAML</a> · <a href="../openapi.json">JSON</a></p>
<h2>Operations</h2>
`;
  for (const operation of document.operations)
    yield operationPart(service, operation, url, sample, tools);
}

type ServedPage = (request: IncomingMessage) => HttpResponse | Promise<HttpResponse>;

const htmlPage = (body: string): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept', ...plainPageHeaders },
  body,
});

const docsPage = (service: ServedService, originOf: () => string): ServedPage =>
  lazy(async () => {
    const { info, basePath } = service.document;
    const content = docsContent(service, originOf() + basePath);
    return htmlPage(await joinInSteps(pageText(info.title, content)));
  });

/** Lists the documents, in HTML for browsers. */
const listPage =
  (
    served: readonly ServedService[],
    { docs, originOf }: Pick<ServeSettings, 'docs' | 'originOf'>,
  ): ServedPage =>
  ({ headers: { accept = '' } }) => {
    const documents = served.map(({ document: { name, info, basePath } }) => {
      const url = originOf() + basePath;
      const page = docs ? { docs: `${url}/docs/` } : {};
      return { name, title: info.title, url, openapi: `${url}/openapi.json`, ...page };
    });
    if (!/\btext\/html\b/.test(accept)) {
      const headers = { 'Content-Type': 'application/json', Vary: 'Accept' };
      return { status: 200, headers, body: `${JSON.stringify({ documents }, undefined, 2)}\n` };
    }
    const list = documents.map(
      ({ title, url, openapi, docs: page = openapi }) =>
        html`<li><a href="${page}">${title}</a> <code>${url}</code></li>\n`,
    );
    const content = [html`<h1>Documents</h1>\n<ul>\n${list}</ul>\n`];
    return htmlPage([...pageText('Documents', content)].join(''));
  };

const pagesOf = (
  served: readonly ServedService[],
  settings: Pick<ServeSettings, 'docs' | 'originOf'>,
): ReadonlyMap<string, ServedPage> => {
  const docs = served.flatMap((service): [string, ServedPage][] => {
    const path = `${service.document.basePath}/docs`;
    const redirect = { status: 308, headers: { Location: `${path}/` }, body: undefined };
    return [
      [path, () => redirect],
      [`${path}/`, docsPage(service, settings.originOf)],
    ];
  });
  return new Map([['/', listPage(served, settings)], ...(settings.docs ? docs : [])]);
};

/** Makes what answers requests, by the service below whose base path they lie. */
export const listenerOf = (
  served: readonly ServedService[],
  settings: Pick<ServeSettings, 'docs' | 'originOf' | 'log'>,
): RequestListener => {
  const longestFirst = served.toSorted(
    (one, other) => other.document.basePath.length - one.document.basePath.length,
  );
  const pages = pagesOf(served, settings);
  const routes: Routes = (request, response, next) => {
    const { url = '/', method = '' } = request;
    const page = pages.get(splitTarget(url).path);
    if (page === undefined) next();
    else if (method !== 'GET' && method !== 'HEAD') next(methodNotAllowed({ Allow: 'GET, HEAD' }));
    else
      Promise.resolve(page(request))
        .then((written) => send(request, response, written))
        .catch(next);
  };
  const failure = { log: settings.log, writeError: defaultErrors() };
  const exchangeOf = (request: IncomingMessage, response: ServerResponse, target?: string) =>
    new NodeExchange(request, response, undefined, routes, target);
  return (request, response) => {
    const fault = headFault(request);
    if (fault !== undefined) {
      response.shouldKeepAlive = false;
      sendFailure(exchangeOf(request, response), fault, failure).catch(giveUp(response));
      return;
    }
    for (const { document, router } of longestFirst) {
      const target = targetBelow(document.basePath, request.url ?? '/');
      if (target === undefined) continue;
      router.serve(exchangeOf(request, response, target)).catch(giveUp(response));
      return;
    }
    const exchange = exchangeOf(request, response);
    exchange
      .passOn()
      .catch((error: unknown) => sendFailure(exchange, error, failure))
      .catch(giveUp(response));
  };
};
