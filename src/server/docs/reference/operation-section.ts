/** One operation for readers. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Operation, Parameter } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { link } from '../page/link';
import { markdown } from '../page/markdown';
import { credentialsLine } from './credentials';
import { curlCommand } from './curl';
import { bodyPart, responsesPart } from './message-parts';
import type { Reference } from './reference';
import { typeOf } from './schema-type';
import { entry, limitLine, propertiesOf } from './schema-view';

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
