/** The form in which a request of an operation is tried out, and the fields of credentials; `page-script.ts` reads them. */

import { type Html, type HtmlPart, html } from '../../base/html/html';
import { lineText } from '../../base/json/write-json';
import type { SchemaContext } from '../../engine';
import type { Model, SecurityScheme } from '../../model/document';
import {
  type MediaType,
  type Operation,
  type Parameter,
  requestMethod,
} from '../../model/operation';
import { anySchema } from '../../model/schema';
import { exampleOf, type Sampler } from '../../schema/samples/shown-value';

/** The tools that the page of a document is made with. */
export interface PageTools {
  readonly schemas: SchemaContext;
  readonly sample: Sampler;
}

/** Tells how the script takes a typed text apart; a text of a media type goes out as it is. */
const kindOf = ({ schema, mediaType }: Parameter, { schemas }: PageTools): string => {
  const { type } = schemas.shapeOf(schema);
  if (mediaType !== undefined || (type !== 'array' && type !== 'object')) return 'text';
  return type === 'array' ? 'list' : 'object';
};

const parameterField = (parameter: Parameter, tools: PageTools): Html => {
  const { name, in: place, required, style, explode } = parameter;
  const kind = kindOf(parameter, tools);
  const value = required ? tools.sample(parameter) : undefined;
  const isList = kind === 'list' && Array.isArray(value);
  const text = value === undefined ? '' : isList ? value.map(lineText).join(', ') : lineText(value);
  const note = kind === 'list' ? ', items with commas' : kind === 'object' && ', JSON';
  return html`<label><span><code>${name}</code> (${place}${required && ', required'}${note})</span>
<input data-in="${place}" data-name="${name}" data-style="${style}" data-explode="${String(explode)}" data-kind="${kind}" value="${text}" autocomplete="off" spellcheck="false"></label>\n`;
};

const filesOf = ({ key, schema = anySchema }: MediaType, { schemas }: PageTools) =>
  /^multipart\//i.test(key)
    ? [...schemas.shapeOf(schema).properties]
        .filter(([, shape]) => shape.isBinary || shape.items?.isBinary === true)
        .map(([name]) => name)
    : [];

const contentFields = (content: MediaType, index: number, tools: PageTools): Html => {
  const { key, schema = anySchema } = content;
  const shape = tools.schemas.shapeOf(schema);
  const isParts = /\*|^multipart\//i.test(key);
  const isFile = shape.isBinary || (!isParts && tools.schemas.codecs.isOctets(key, shape));
  const files = filesOf(content, tools);
  const fields: HtmlPart = isFile
    ? html`<label><span>File</span> <input type="file" data-file></label>\n`
    : html`<label><span>Body</span><textarea rows="8" spellcheck="false">${files.length === 0 && exampleOf(content, tools.sample)}</textarea></label>\n`;
  return html`<div data-content="${key}"${index > 0 && html` hidden`}>\n${fields}${files.map(
    (name) =>
      html`<label><span><code>${name}</code> (file)</span> <input type="file" multiple data-part="${name}"></label>\n`,
  )}</div>\n`;
};

const choice = (label: string, mark: Html, keys: readonly string[]): HtmlPart =>
  keys.length > 1 &&
  html`<label><span>${label}</span> <select ${mark}>${keys.map((key) => html`<option>${key}</option>`)}</select></label>\n`;

/**
 * Writes the form of an operation.
 * @param curl the command that sends such a request
 */
export const tryForm = (operation: Operation, curl: string, tools: PageTools): Html => {
  const { method, path, parameters, requestBody, responses, security } = operation;
  const schemes = [...new Set(security.flatMap((one) => Object.keys(one)))];
  const contents = requestBody?.content ?? [];
  const accepted = responses.flatMap(({ content }) => content.map(({ key }) => key));
  return html`<details class="try" data-method="${requestMethod(method)}" data-path="${path}" data-security="${schemes.join(' ')}"><summary>Try it</summary>
${parameters.map((parameter) => parameterField(parameter, tools))}${choice(
  'Media type of the body',
  html`data-media`,
  contents.map(({ key }) => key),
)}${contents.map((content, index) => contentFields(content, index, tools))}${choice('Accept', html`data-accept`, [...new Set(accepted)])}<p><button type="button" class="button" data-send>Send</button></p>
<output class="answer" tabindex="0" aria-label="Response"></output>
</details>
<pre tabindex="0"><code class="address">${curl}</code></pre>
`;
};

/** Finds the place of a credential: a header or parameter of that name, or what follows a scheme in Authorization. */
const fieldOf = (scheme: SecurityScheme) => {
  switch (scheme.type) {
    case 'apiKey':
      return { label: `${scheme.in} ${scheme.name}`, place: scheme.in, name: scheme.name };
    case 'http': {
      const name = scheme.scheme.replace(/^[a-z]/, (letter) => letter.toUpperCase());
      const label = name === 'Basic' ? 'user:password' : `Authorization: ${name}`;
      return { label, place: 'authorization', name };
    }
    case 'mutualTLS':
      return undefined;
    default:
      return { label: 'token', place: 'authorization', name: 'Bearer' };
  }
};

/** Writes the fields of the credentials that operations ask for; nothing where they ask for none. */
export const credentialFields = ({
  securitySchemes,
  operations,
}: Pick<Model, 'securitySchemes' | 'operations'>): HtmlPart => {
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
  const fields = [...securitySchemes].flatMap(([scheme, declared]) => {
    const field = used.has(scheme) ? fieldOf(declared) : undefined;
    if (field === undefined) return [];
    const { label, place, name } = field;
    return html`<label><span><code>${scheme}</code> (${label})</span>
<input type="password" data-scheme="${scheme}" data-place="${place}" data-name="${name}" autocomplete="off"></label>\n`;
  });
  return (
    fields.length > 0 &&
    html`<details class="credentials"><summary>Credentials for the requests of this page</summary>\n${fields}</details>\n`
  );
};
