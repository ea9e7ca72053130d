/** One operation for readers. */

import type { OpenAPIV3 } from 'openapi-types';
import type { MediaType, Operation, Parameter, ResolvedResponse } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { link, markdown } from '../page/markdown';
import { credentialsLine } from './credentials';
import { curlCommand } from './curl';
import { prettyJson, prettyXml } from './example-text';
import { bodyExample } from './illustrate';
import type { Reference } from './reference';
import { entry, limitLine, propertiesOf, typeOf } from './schema-view';

/** An example as it travels in its media type, laid out. */
const exampleText = (media: MediaType, reference: Reference): string | undefined => {
  const value = bodyExample(media, reference.document.references);
  if (value === undefined) return undefined;
  if (/\bjson\b/i.test(media.key))
    return typeof value === 'string' && media.schema === undefined ? value : prettyJson(value);
  const text = reference.writeExample(media, value);
  return text !== undefined && /\bxml\b/i.test(media.key) ? prettyXml(text) : text;
};

/** Several media types in a line, each with what it carries. */
const contentLine = (content: readonly MediaType[], reference: Reference): Part => {
  const { references } = reference.document;
  const types = content.map(({ schema }) => (schema ? typeOf(schema, references).html : ''));
  const isAlike = types.every((type) => type === types[0]);
  const [first] = content;
  if (first === undefined) return undefined;
  const schemaOf = ({ schema }: MediaType): Part => schema && [': ', typeOf(schema, references)];
  const keys = content.map((media, index) => [
    index > 0 && ', ',
    html`<code>${media.key}</code>`,
    !isAlike && schemaOf(media),
  ]);
  return html`<p class="content">${keys}${isAlike && schemaOf(first)}</p>`;
};

const limitsOfContent = ([first]: readonly MediaType[], reference: Reference): Part => {
  const { references } = reference.document;
  const schema = first?.schema && references.find<OpenAPIV3.SchemaObject>(first.schema);
  if (first?.schema === undefined || schema === undefined || '$ref' in first.schema)
    return undefined;
  return [limitLine(schema), propertiesOf(first.schema, references)];
};

/** Examples in the media types; the first of a request is in its command already. */
const exampleBlocks = (content: readonly MediaType[], reference: Reference): Part =>
  content.map((media) => {
    const text = exampleText(media, reference);
    return (
      text !== undefined &&
      text !== '' &&
      html`<details><summary>Example in <code>${media.key}</code></summary>
<pre tabindex="0"><code>${text}</code></pre></details>`
    );
  });

/** The body of a request. */
const bodyPart = (
  body: OpenAPIV3.RequestBodyObject | undefined,
  content: readonly MediaType[] | undefined,
  reference: Reference,
): Part => {
  if (content === undefined) return undefined;
  return html`<h4>Body</h4>
<div class="part">${markdown(body?.description, 4)}
<p class="limits">${body?.required === true ? html`<strong>required</strong>` : 'may be left out'}</p>
${contentLine(content, reference)}${limitsOfContent(content, reference)}${exampleBlocks(content.slice(1), reference)}</div>`;
};

const statusWords: Readonly<Record<string, string>> = { default: 'any other' };

const responseEntry = (
  record: ResolvedResponse,
  raw: OpenAPIV3.ResponseObject | undefined,
  reference: Reference,
): Html => {
  const { references } = reference.document;
  const headers = Object.entries(raw?.headers ?? {}).map(([name, target]) => {
    const header = references.find<OpenAPIV3.HeaderObject>(target);
    const type = header?.schema === undefined ? [] : [typeOf(header.schema, references)];
    return entry(html`Header <code>${name}</code>`, type, [markdown(header?.description, 6)]);
  });
  return entry(
    html`<code>${statusWords[record.key] ?? record.key}</code>`,
    [],
    [
      markdown(record.description, 6),
      contentLine(record.content, reference),
      record.key.startsWith('2') && limitsOfContent(record.content, reference),
      headers.length > 0 && html`<dl class="entries">${headers}</dl>`,
      /^(2|default)/.test(record.key) && exampleBlocks(record.content.slice(0, 1), reference),
    ],
  );
};

/** The responses, in the order of the document. */
const responsesPart = (
  records: readonly ResolvedResponse[],
  raw: OpenAPIV3.ResponsesObject | undefined,
  reference: Reference,
): Part => {
  if (records.length === 0) return undefined;
  const { references } = reference.document;
  const entries = records.map((record) =>
    responseEntry(record, references.find<OpenAPIV3.ResponseObject>(raw?.[record.key]), reference),
  );
  return html`<h4>Responses</h4><dl class="entries responses">${entries}</dl>`;
};

/** The operation as the document has it; the record of it leaves out what only readers want. */
const declared = (
  { path, method }: Operation,
  { document }: Reference,
): { item: OpenAPIV3.PathItemObject; operation: Partial<OpenAPIV3.OperationObject> } => {
  const { definition, references } = document;
  const item = references.find<OpenAPIV3.PathItemObject>(definition.paths[path]) ?? {};
  return { item, operation: item[method as OpenAPIV3.HttpMethods] ?? {} };
};

const parameterEntry = (
  parameter: Parameter,
  raw: OpenAPIV3.ParameterObject | undefined,
  { document: { references } }: Reference,
): Html => {
  const target = raw?.schema ?? parameter.schema;
  const schema = references.find<OpenAPIV3.SchemaObject>(target) ?? {};
  const separated =
    parameter.commaSeparated &&
    html`<p class="limits">several values may be separated by commas</p>`;
  return entry(
    html`<code>${parameter.name}</code>`,
    [
      html`${parameter.in}`,
      typeOf(target, references),
      ...(parameter.required ? [html`<strong>required</strong>`] : []),
      ...(raw?.deprecated === true ? [html`deprecated`] : []),
    ],
    [markdown(raw?.description, 6), limitLine(schema), separated, propertiesOf(target, references)],
  );
};

const parametersPart = (operation: Operation, reference: Reference): Part => {
  if (operation.parameters.length === 0) return undefined;
  const { item, operation: own } = declared(operation, reference);
  const raw = [...(own.parameters ?? []), ...(item.parameters ?? [])].map((target) =>
    reference.document.references.find<OpenAPIV3.ParameterObject>(target),
  );
  const entries = operation.parameters.map((parameter) =>
    parameterEntry(
      parameter,
      raw.find((one) => one?.name === parameter.name && one.in === parameter.in),
      reference,
    ),
  );
  return html`<h4>Parameters</h4><dl class="entries">${entries}</dl>`;
};

const externalLink = (docs: OpenAPIV3.ExternalDocumentationObject | undefined): Part =>
  docs && html`<p>${link(docs.url, docs.description ?? docs.url)}</p>`;

/** The section. */
export const operationSection = (operation: Operation, reference: Reference): Html => {
  const anchor = reference.anchorOf(operation);
  const { operation: raw } = declared(operation, reference);
  const { references } = reference.document;
  const body = references.find<OpenAPIV3.RequestBodyObject>(raw.requestBody);
  const invalidReason =
    operation.invalidReason !== undefined &&
    html`<p class="warning">Not served: ${operation.invalidReason}</p>`;
  const mock =
    reference.isMocked(operation) &&
    html`<p class="warning">Mock: this operation has no handler yet, and answers with an example.</p>`;
  return html`<section class="item operation" id="${anchor}">
<h3><a href="#${anchor}"><span class="method ${operation.method}">${operation.method.toUpperCase()}</span> <span class="path">${operation.path}</span></a></h3>
<p class="summary">${operation.summary}${raw.deprecated === true && html` <strong>deprecated</strong>`}</p>
${markdown(raw.description, 3)}${externalLink(raw.externalDocs)}${invalidReason}${mock}${credentialsLine(operation, reference)}
${parametersPart(operation, reference)}${bodyPart(body, operation.requestBody?.content, reference)}
${responsesPart(operation.responses, raw.responses, reference)}
<h4>Example</h4>
<pre tabindex="0"><code>${curlCommand(operation, reference)}</code></pre>
</section>
`;
};
