/** The reference of a document: one page of plain HTML, made from the document alone. */

import type { OpenAPIV3 } from 'openapi-types';
import { mapInSteps } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { link, markdown } from '../page/markdown';
import { headLines, serviceHeader } from '../page/page-frame';
import { styleElement } from '../page/page-style';
import { credentialsSection } from './credentials';
import { operationSection } from './operation-section';
import { type Group, groupsOf, type Reference, schemaAnchor, tagAnchor } from './reference';
import { limitLine, propertiesOf, typeOf } from './schema-view';

const contents = (groups: readonly Group[], reference: Reference): Html => {
  const schemas = Object.keys(reference.document.definition.components?.schemas ?? {});
  const hasCredentials = credentialsSection(reference) !== undefined;
  const lists = groups.map(
    ({ name, operations }) => html`<li><a href="#${tagAnchor(name)}">${name}</a><ul>
${operations.map((operation) => html`<li><a href="#${reference.anchorOf(operation)}"><span class="method ${operation.method}">${operation.method.toUpperCase()}</span> ${operation.summary || operation.path}</a></li>\n`)}</ul></li>\n`,
  );
  const names = schemas.map(
    (name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>\n`,
  );
  return html`<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ul>
${lists}${hasCredentials && html`<li><a href="#credentials">Credentials</a></li>`}
${names.length > 0 && html`<li><a href="#schemas">Schemas</a><ul>${names}</ul></li>`}</ul></details></nav>`;
};

const schemaSection = (
  [name, target]: readonly [string, OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject],
  { document: { references } }: Reference,
): Html => {
  const schema = references.find<OpenAPIV3.SchemaObject>(target);
  const anchor = schemaAnchor(name);
  return html`<section class="item" id="${anchor}"><h3><a href="#${anchor}">${name}</a></h3>
${markdown(schema?.description, 3)}<p class="limits">${typeOf(target, references)}</p>${schema && limitLine(schema)}${propertiesOf(target, references)}</section>
`;
};

const contactLine = ({ contact, license, termsOfService }: OpenAPIV3.InfoObject): Part => {
  const parts: readonly Part[] = [
    contact && [
      link(
        contact.url ?? (contact.email && `mailto:${contact.email}`),
        contact.name ?? contact.email ?? 'Contact',
      ),
    ],
    license && ['Licence: ', link(license.url, license.name)],
    termsOfService && link(termsOfService, 'Terms of service'),
  ].filter((part) => part !== undefined && part !== '');
  return (
    parts.length > 0 &&
    html`<p class="limits">${parts.map((part, index) => [index > 0 && ' · ', part])}</p>`
  );
};

const groupSection = async (
  { name, tag, operations }: Group,
  reference: Reference,
): Promise<Html> => {
  const sections = await mapInSteps(operations, (operation) =>
    operationSection(operation, reference),
  );
  const anchor = tagAnchor(name);
  return html`<section id="${anchor}"><h2>${name}</h2>
${markdown(tag?.description, 2)}${sections}</section>
`;
};

/** The page. */
export const referencePage = async (reference: Reference): Promise<Html> => {
  const { document, address } = reference;
  const { info, components } = document.definition;
  const groups = groupsOf(document);
  const sections: Html[] = [];
  for (const group of groups) sections.push(await groupSection(group, reference));
  const schemas = await mapInSteps(Object.entries(components?.schemas ?? {}), (named) =>
    schemaSection(named, reference),
  );
  return html`<!doctype html>
<html lang="en">
<head>
${headLines(html`${info.title} ${info.version}: reference`)}
${styleElement}
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
${serviceHeader('reference')}
<div class="columns">
${contents(groups, reference)}
<main id="main" tabindex="-1">
<h1>${info.title} <span class="version">${info.version}</span></h1>
${markdown(info.description, 1)}${contactLine(info)}
<p>Address: <code>${address}</code></p>
${sections}${credentialsSection(reference)}
${schemas.length > 0 && html`<section id="schemas"><h2>Schemas</h2>${schemas}</section>`}
</main>
</div>
</body>
</html>
`;
};
