/** The documentation page of a document: one page of HTML without scripts, made from the model. */

import { type Html, html, type Part } from '../../base/html/html';
import { headLines } from '../../base/html/page-frame';
import { styleElement } from '../../base/html/page-style';
import type { ApiDocument, SchemaContext } from '../../engine';
import type { SecurityScheme } from '../../model/document';
import type { Example, MediaType, Operation, Parameter } from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import { sampleValue } from '../../schema/samples/sample-value';

/** The surroundings of a page. */
interface PageContext {
  readonly tools: SchemaContext;
  /** The operations without a handler. */
  readonly mocked: ReadonlySet<Operation>;
  /** The address below which the operations are. */
  readonly url: string;
}

type Sampler = (schema: Schema, examples?: readonly Example[]) => unknown;

/** Makes the function that finds a value of a schema, examples first; undefined where none is found. */
const sampler =
  (tools: SchemaContext): Sampler =>
  (schema, examples = []) => {
    const given = examples.map(({ value }) => value);
    try {
      const sample = sampleValue(schema, tools, given);
      return 'value' in sample ? sample.value : undefined;
    } catch {
      // The check of the document says why a schema cannot be used.
      return undefined;
    }
  };

/** Writes JSON in lines, with all digits of integers. */
const jsonText = (value: unknown): string =>
  (
    JSON.stringify(
      value,
      (_, item: unknown) => {
        if (item instanceof Uint8Array) return Buffer.from(item).toString();
        return typeof item === 'bigint' ? `\u0000${item}` : item;
      },
      2,
    ) ?? ''
  ).replaceAll(/"\\u0000(-?\d+)"/g, '$1');

const exampleOf = ({ schema = anySchema, examples }: MediaType, sample: Sampler): string => {
  const value = sample(schema, examples);
  return typeof value === 'string' ? value : jsonText(value);
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes what curl needs to send a credential. */
const credential = (scheme: SecurityScheme | undefined): string => {
  if (scheme === undefined || scheme.type === 'mutualTLS') return '';
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'query') return '';
    return scheme.in === 'header'
      ? ` -H ${quoted(`${scheme.name}: KEY`)}`
      : ` -b ${quoted(`${scheme.name}=KEY`)}`;
  }
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
  return isBasic ? ' -u USER:PASSWORD' : " -H 'Authorization: Bearer TOKEN'";
};

const textOf = (value: unknown): string =>
  typeof value === 'object' ? jsonText(value).replaceAll(/\s*\n\s*/g, '') : String(value);

/** Writes the command that sends a request with all that is required. */
const curl = (
  document: ApiDocument,
  { method, path, parameters, requestBody, security }: Operation,
  url: string,
  sample: Sampler,
): string => {
  const givenFor = ({ schema, examples }: Parameter) => textOf(sample(schema, examples) ?? '');
  const filled = path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter === undefined ? whole : encodeURIComponent(givenFor(parameter));
  });
  const wanted = parameters.filter(({ required }) => required);
  const schemes = Object.keys(security[0] ?? {}).map((name) => document.securitySchemes.get(name));
  const query = [
    ...wanted.flatMap((one) => (one.in === 'query' ? [[one.name, givenFor(one)] as const] : [])),
    ...schemes.flatMap((one) =>
      one?.type === 'apiKey' && one.in === 'query' ? [[one.name, 'KEY'] as const] : [],
    ),
  ].map((pair) => pair.map(encodeURIComponent).join('='));
  const headers = wanted
    .filter((one) => one.in === 'header')
    .map((one) => ` -H ${quoted(`${one.name}: ${givenFor(one)}`)}`);
  const [content] = requestBody?.content ?? [];
  const body =
    content &&
    ` -H ${quoted(`Content-Type: ${content.key}`)} -d ${quoted(exampleOf(content, sample))}`;
  const target = query.length > 0 ? `${filled}?${query.join('&')}` : filled;
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  return `curl${verb} ${quoted(url + target)}${schemes.map(credential).join('')}${headers.join('')}${body ?? ''}`;
};

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

const operationPart = (document: ApiDocument, operation: Operation, context: PageContext): Html => {
  const { operationId, method, path, summary, description, requestBody, responses } = operation;
  const sample = sampler(context.tools);
  return html`<section class="item" id="${operationId}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <a class="path" href="#${operationId}">${path}</a></h3>
<p class="summary">${summary}${operation.deprecated && html` <strong>Deprecated</strong>`}</p>
${description !== '' && html`<p>${description}</p>\n`}<p class="limits"><code>${operationId}</code>${context.mocked.has(operation) && ' · mocked: without a handler'}</p>
${operation.invalidReason !== undefined && html`<p class="warning">Not served: ${operation.invalidReason}</p>\n`}${parameterTable(operation.parameters)}${requestBody !== undefined && html`<h4>Body${!requestBody.required && ' (optional)'}</h4>\n<p>${requestBody.description}</p>\n${contents(requestBody.content, sample)}`}<h4>Responses</h4>
${responses.map(({ key, description: text, content }) => html`<p><strong>${key}</strong> ${text}</p>\n${contents(content, sample)}`)}<h4>Try it</h4>
<pre tabindex="0"><code>${curl(document, operation, context.url, sample)}</code></pre>
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
  const { title, version, description } = document.info;
  yield html`<h1>${title} <span class="version">${version}</span></h1>
<p>${description}</p>
<p><code>${context.url}</code> · <a href="../openapi.yaml">YAML</a> · <a href="../openapi.json">JSON</a></p>
`;
  for (const operation of document.operations) yield operationPart(document, operation, context);
}
