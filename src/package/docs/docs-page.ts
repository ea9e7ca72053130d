/** The documentation page of a service: its operations, and a form for each; it needs no other file and no other server. */

import {
  type Html,
  type HtmlPart,
  hashSource,
  html,
  pageHeaders,
  trusted,
} from '../../base/html/html';
import { headLines, pageStyle } from '../../base/html/page-style';
import { markdownType, prefersMarkdown } from '../../base/media-type';
import { lazy } from '../../base/memoize';
import { attempt } from '../../base/recover';
import { joinInSteps } from '../../base/run-in-steps';
import type { ApiDocument, SchemaContext, ServiceOptions } from '../../engine';
import { otherMethodResponse } from '../../http/http-error';
import type { HttpResponse } from '../../http/send';
import { deprecationWords } from '../../model/deprecation';
import {
  type Callback,
  type MediaType,
  type Operation,
  type Parameter,
  type Response,
  requestMethod,
} from '../../model/operation';
import { curlLine, serviceMarkdown } from '../../requests/service-markdown';
import { exampleOf, sampler } from '../../schema/samples/shown-value';
import { type SchemaRow, schemaRows, schemaWords } from '../../schema/schema-words';
import { pageScript } from './page-script';
import { credentialFields, type PageTools, tryForm } from './try-form';

const style = `${pageStyle}
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; }
label { display: block; margin: .5rem 0; } label > span { display: block; color: var(--soft); }
input, select, textarea { width: 100%; max-width: 40rem; padding: .4rem .6rem; font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 5px; }
textarea { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .9em; }
:is(input, select, textarea, button, output):focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.tools label { flex: 1 1 16rem; } button.button { border: 0; font: inherit; cursor: pointer; }
.answer { display: block; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow-y: auto; padding: .9rem 1rem; background: var(--wash); border-radius: 6px; font: .9em/1.45 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
.answer:empty { display: none; }
.rows table { width: 100%; } td { vertical-align: top; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .rows :is(table, tbody, tr, td) { display: block; } .rows :is(tr:first-child, td:empty) { display: none; }
  .rows td { border: 0; padding: 0; } .rows tr { border-top: 1px solid var(--line); padding: .4rem 0; }
}
[hidden] { display: none; }
.credentials { margin: 1rem 0; }
@media print { .try, .tools, .credentials { display: none; } }
`;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  ...pageHeaders([
    `style-src ${hashSource(style)}`,
    `script-src ${hashSource(pageScript)}`,
    "connect-src 'self'",
    'img-src data:',
  ]),
};

const paragraph = (text: string | undefined): HtmlPart => text && html`<p>${text}</p>\n`;

const table = (caption: string, heads: readonly string[], rows: readonly Html[]): HtmlPart =>
  rows.length > 0 &&
  html`<div class="rows"><table aria-label="${caption}"><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr>\n${rows}</table></div>\n`;

// A schema that cannot be read is said where the operation is.
const parameterRow = ({ name, in: place, required, schema, deprecated, description }: Parameter) =>
  html`<tr><td><code>${name}</code></td><td>${place}${required && ', required'}${deprecated && ', deprecated'}</td><td>${attempt(() => schemaWords(schema)) ?? ''}</td><td>${description}</td></tr>\n`;

const memberRow = ({ path, isRequired, words, description }: SchemaRow): Html =>
  html`<tr><td>${path === '' ? 'the whole' : html`<code>${path}</code>`}${path !== '' && isRequired && ', required'}</td><td>${words}</td><td>${description}</td></tr>\n`;

const contentParts = (
  name: string,
  content: readonly MediaType[],
  direction: 'request' | 'response',
  { sample }: PageTools,
): HtmlPart =>
  content.map((one) => {
    const rows = attempt(() => schemaRows(one.schema ?? one.itemSchema, { direction })) ?? [];
    return html`<details><summary><code>${one.key}</code>${one.schema?.component !== undefined && html` ${one.schema.component}`}</summary>
${table(`Members of ${name}, ${one.key}`, ['Member', 'Type', 'Description'], rows.map(memberRow))}<pre tabindex="0"><code>${exampleOf(one, sample)}</code></pre></details>\n`;
  });

const parameterTable = (name: string, parameters: readonly Parameter[]): HtmlPart =>
  table(name, ['Name', 'Place', 'Type', 'Description'], parameters.map(parameterRow));

const responsePart = (
  name: string,
  { key, description, content, headers: declared }: Response,
  tools: PageTools,
): Html =>
  html`<p><strong>${key}</strong> ${description}</p>\n${parameterTable(`Headers of ${name}, ${key}`, declared)}${contentParts(`${name}, ${key}`, content, 'response', tools)}`;

const messageParts = (operation: Operation, name: string, tools: PageTools): Html => {
  const { parameters, requestBody, responses } = operation;
  return html`${parameters.length > 0 && html`<h4>Parameters</h4>\n`}${parameterTable(`Parameters of ${name}`, parameters)}${
    requestBody !== undefined &&
    html`<h4>Body${!requestBody.required && ' (optional)'}</h4>\n${paragraph(requestBody.description)}${contentParts(`the body of ${name}`, requestBody.content, 'request', tools)}`
  }<h4>Responses</h4>\n${responses.map((response) => responsePart(name, response, tools))}`;
};

const securityPart = ({ security, loggedInUser }: Operation): HtmlPart => {
  const alternatives = security.map((requirement) => {
    const schemes = Object.entries(requirement).map(
      ([name, scopes], index) =>
        html`${index > 0 && ' and '}<code>${name}</code>${scopes.length > 0 && html` with ${scopes.map((scope, at) => html`${at > 0 && ', '}<code>${scope}</code>`)}`}`,
    );
    return schemes.length === 0 ? html`no credential` : html`${schemes}`;
  });
  const login = loggedInUser?.required === true ? [html`a login`] : [];
  const [first, ...others] = [...alternatives, ...login];
  return (
    first && html`<p class="limits">Needs ${first}${others.map((one) => html`, or ${one}`)}</p>\n`
  );
};

const callbackParts = (callbacks: readonly Callback[], tools: PageTools): HtmlPart =>
  callbacks.length > 0 &&
  html`<h4>Callbacks</h4>\n${callbacks.map(({ name, operations }) =>
    operations.map(
      (operation) =>
        html`<details><summary><code>${name}</code> ${requestMethod(operation.method)} <code>${operation.path}</code></summary>\n${paragraph(operation.summary)}${paragraph(operation.description)}${messageParts(operation, `${name} ${operation.method}`, tools)}</details>\n`,
    ),
  )}`;

const heading = (operation: Operation, id: string): Html =>
  html`<h3><span class="method ${operation.method}">${requestMethod(operation.method)}</span> <a class="path" href="#${id}">${operation.path}</a></h3>
${paragraph(operation.summary)}${operation.deprecated && html`<p><strong>Deprecated</strong> ${deprecationWords(operation)}</p>\n`}${paragraph(operation.description)}`;

const searchedText = ({ operationId, method, path, summary, description, tags }: Operation) =>
  [operationId, requestMethod(method), path, summary, description, ...tags].join(' ').toLowerCase();

/** The service that a page is of. */
export interface DocumentedService {
  readonly document: ApiDocument;
  readonly tools: SchemaContext;
  isMocked(operation: Operation): boolean;
  /** Returns the URL that the service is reached at, for examples; without it they have the document's. */
  readonly url: (() => string) | undefined;
}

const operationPart = (
  { document, isMocked }: DocumentedService,
  operation: Operation,
  url: string,
  tools: PageTools,
): Html => {
  const { operationId, invalidReason, callbacks } = operation;
  const curl = curlLine(document, operation, url, tools.sample, tools.schemas);
  return html`<section class="item" id="${operationId}" data-search="${searchedText(operation)}">
${heading(operation, operationId)}<p class="limits"><code>${operationId}</code>${isMocked(operation) && ' · mocked: without a handler'}</p>
${invalidReason !== undefined && html`<p class="warning">Not served: ${invalidReason}</p>\n`}${securityPart(operation)}${messageParts(operation, operationId, tools)}${callbackParts(callbacks, tools)}${
  invalidReason === undefined
    ? tryForm(operation, curl, tools)
    : html`<pre tabindex="0"><code class="address">${curl}</code></pre>\n`
}</section>
`;
};

/** Returns the URL in examples; the script puts that of the page in its place. */
const exampleUrl = ({ servers: [server], basePath }: ApiDocument): string =>
  server !== undefined && /^https?:\/\/[^{}]+$/.test(server.url)
    ? server.url.replace(/\/$/, '')
    : `http://localhost${basePath}`;

function* pageParts(service: DocumentedService): Iterable<string> {
  const { document, tools: schemas, url = () => exampleUrl(document) } = service;
  const tools = { schemas, sample: sampler(schemas) };
  const { title, version, description } = document.info;
  const address = url();
  yield html`<!doctype html>
<html lang="en">
<head>
${headLines(title)}
<style>${trusted(style)}</style>
</head>
<body data-url="${address}">
<main class="alone">
<h1>${title} <span class="version">${version}</span></h1>
${paragraph(description)}<p><code class="address">${address}</code> · <a href="../openapi.yaml">YAML</a> · <a href="../openapi.json">JSON</a> · <a href="../docs.md">Markdown</a></p>
${credentialFields(document)}<h2>Operations</h2>
<div class="tools"><label><span>Search</span> <input type="search" id="search" autocomplete="off"></label><p id="found" role="status"></p></div>
`.html;
  for (const operation of document.operations)
    yield operationPart(service, operation, address, tools).html;
  if (document.webhooks.length > 0) yield '<h2>Webhooks</h2>\n';
  for (const webhook of document.webhooks) {
    const id = `webhook-${webhook.operationId}`;
    yield html`<section class="item" id="${id}" data-search="${searchedText(webhook)}">
${heading(webhook, id)}${messageParts(webhook, webhook.path, tools)}</section>
`.html;
  }
  yield `</main>\n<script>${pageScript}</script>\n</body>\n</html>\n`;
}

const lateResponse = (own: HttpResponse['headers'], parts: () => Iterable<string>) =>
  lazy(async (): Promise<HttpResponse> => {
    return { status: 200, headers: own, body: await joinInSteps(parts()) };
  });

/**
 * Makes the responses to requests for the page at `/docs/`, and for the same as Markdown, which is at `/docs.md`, too, where the document
 * has no operation of that path.
 */
export const docsResponses = (
  service: DocumentedService,
): NonNullable<ServiceOptions['answerLast']> => {
  const page = lateResponse({ ...headers, Vary: 'Accept' }, () => pageParts(service));
  const url = service.url ?? (() => exampleUrl(service.document));
  const markdown = lateResponse(
    { 'Content-Type': markdownType, 'Access-Control-Allow-Origin': '*', Vary: 'Accept' },
    () => serviceMarkdown({ ...service, url: url() }),
  );
  const redirect: HttpResponse = { status: 308, headers: { Location: 'docs/' }, body: undefined };
  return (method, path, _query, accept) => {
    if (path !== '/docs' && path !== '/docs/' && path !== '/docs.md') return undefined;
    if (method !== 'GET' && method !== 'HEAD') {
      return Promise.resolve(otherMethodResponse(method, { Allow: 'GET, HEAD, OPTIONS' }));
    }
    if (path === '/docs') return Promise.resolve(redirect);
    return path === '/docs.md' || prefersMarkdown(accept) ? markdown() : page();
  };
};
