/** Bodies, responses and examples of an operation. */

import type { OpenAPIV3 } from 'openapi-types';
import type { MediaType, ResolvedResponse } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { markdown } from '../page/markdown';
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
export const contentLine = (content: readonly MediaType[], reference: Reference): Part => {
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
export const exampleBlocks = (content: readonly MediaType[], reference: Reference): Part =>
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
export const bodyPart = (
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
export const responsesPart = (
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
