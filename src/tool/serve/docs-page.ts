/** The documentation page of a document: one page of HTML without scripts, made from the model. */

import { type Html, html, type Part } from '../../base/html/html';
import { headLines, styleElement } from '../../base/html/page-style';
import { type ApiDocument, type SchemaContext, schemaContext } from '../../engine';
import {
  type MediaType,
  type Operation,
  type Parameter,
  requestMethod,
} from '../../model/operation';
import type { Schema } from '../../model/schema';
import { curlLine, exampleOf, type Sampler, sampler, textOf } from './curl-line';

/** The surroundings of a page. */
interface PageContext {
  /** The operations without a handler. */
  readonly mocked: ReadonlySet<Operation>;
  /** The address below which the operations are. */
  readonly url: string;
}

const paragraph = (text: string | undefined): Part => text && html`<p>${text}</p>\n`;

/** Says in a few words which values fit. */
const typeText = ({ types = [], format, enum: values }: Schema): string =>
  [types.join(' or '), format, values && `one of ${values.map(textOf).join(', ')}`]
    .filter(Boolean)
    .join(', ');

const parameterRow = ({ name, in: place, required, schema, description }: Parameter): Html =>
  html`<tr><td><code>${name}</code></td><td>${place}${required && ', required'}</td><td>${typeText(schema)}</td><td>${description}</td></tr>\n`;

const parameterTable = (parameters: readonly Parameter[]): Part =>
  parameters.length > 0 &&
  html`<h4>Parameters</h4>\n<table><tr><th>Name</th><th>Place</th><th>Type</th><th>Description</th></tr>\n${parameters.map(parameterRow)}</table>\n`;

const contents = (content: readonly MediaType[], sample: Sampler): Part =>
  content.map((one) => {
    const example = exampleOf(one, sample);
    return html`<details><summary><code>${one.key}</code>${one.schema?.component !== undefined && html` ${one.schema.component}`}</summary><pre tabindex="0"><code>${example}</code></pre></details>\n`;
  });

const operationPart = (
  document: ApiDocument,
  operation: Operation,
  context: PageContext,
  sample: Sampler,
  tools: SchemaContext,
): Html => {
  const { operationId, method, path, summary, description, requestBody, responses } = operation;
  return html`<section class="item" id="${operationId}">
<h3><span class="method ${method}">${requestMethod(method)}</span> <a class="path" href="#${operationId}">${path}</a></h3>
${paragraph(summary)}${operation.deprecated && html`<p><strong>Deprecated</strong></p>\n`}${paragraph(description)}<p class="limits"><code>${operationId}</code>${context.mocked.has(operation) && ' · mocked: without a handler'}</p>
${operation.invalidReason !== undefined && html`<p class="warning">Not served: ${operation.invalidReason}</p>\n`}${parameterTable(operation.parameters)}${requestBody !== undefined && html`<h4>Body${!requestBody.required && ' (optional)'}</h4>\n${paragraph(requestBody.description)}${contents(requestBody.content, sample)}`}<h4>Responses</h4>
${responses.map(({ key, description: text, content }) => html`<p><strong>${key}</strong> ${text}</p>\n${contents(content, sample)}`)}<h4>Try it</h4>
<pre tabindex="0"><code>${curlLine(document, operation, context.url, sample, tools)}</code></pre>
</section>
`;
};

/** Writes a page: its first lines, its content and its end. */
export function* pageText(title: string, content: Iterable<Html>): Iterable<string> {
  yield html`<!doctype html>\n<html lang="en">\n<head>\n${headLines(title)}\n${styleElement}\n</head>\n<body>\n<main class="alone">\n`
    .html;
  for (const part of content) yield part.html;
  yield '</main>\n</body>\n</html>\n';
}

/** Makes the parts of the page of a document, one for each operation. */
export function* docsContent(document: ApiDocument, context: PageContext): Iterable<Html> {
  const tools = schemaContext(document);
  const sample = sampler(tools);
  const { title, version, description } = document.info;
  yield html`<h1>${title} <span class="version">${version}</span></h1>
${paragraph(description)}<p><code>${context.url}</code> · <a href="../openapi.yaml">YAML</a> · <a href="../openapi.json">JSON</a></p>
<h2>Operations</h2>
`;
  for (const operation of document.operations)
    yield operationPart(document, operation, context, sample, tools);
}
