/**
 * Writes the documentation of a service as Markdown with few words, for language models and terminals. Texts of the document stand in
 * code, in quotations and behind the beginning of a line, so that none of them changes the structure.
 */

import { groupBy } from '../base/group-by';
import { attempt } from '../base/recover';
import {
  markdownCode as code,
  escapeMarkdown,
  markdownCodeBlock,
  markdownLine,
  markdownQuote,
} from '../base/text/markdown-text';
import type { Model, SecurityScheme } from '../model/document';
import { type MediaType, type Operation, type Parameter, requestMethod } from '../model/operation';
import { constraintsOf, type Schema } from '../model/schema';
import { MOST_ROWS, type Refer, schemaRows } from '../schema/schema-words';

/** The service around a document. */
export interface MarkdownOptions {
  /** The URL that it is reached at, without a trailing slash. */
  readonly url: string;
  /** Writes the command that sends a request of an operation. */
  curlLine(operation: Operation): string;
  /** Tells whether mocks answer an operation. */
  isMocked(operation: Operation): boolean;
}

type Writing = MarkdownOptions & { readonly refer: Refer };

type Direction = 'request' | 'response';

/** Characters of a request at most; longer ones are left out. */
const LONGEST_REQUEST = 4_000;

const blocks = (...texts: readonly (string | undefined | false)[]): string =>
  texts
    .filter(Boolean)
    .map((text) => `\n${text}\n`)
    .join('');

const sentences = (...texts: readonly (string | undefined | false)[]): string =>
  texts
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text, at, all) => (at < all.length - 1 ? String(text).replace(/\.$/, '') : text))
    .join('. ');

const colon = (text: string): string => (text === '' ? '' : `: ${text}`);

/** Writes words that name types, patterns and values: as code, where Markdown would read something into them. */
const literal = (words: string): string => (escapeMarkdown(words) === words ? words : code(words));

const quote = (text: string | undefined): string | undefined =>
  text?.trim() ? markdownQuote(text) : undefined;

const list = (title: string, items: readonly string[]): string | undefined =>
  items.length > 0 ? `${title}:\n${items.map((item) => `- ${item}`).join('\n')}` : undefined;

const below = (items: readonly string[]): string =>
  items.map((item) => `\n- ${item}`.replaceAll('\n', '\n  ')).join('');

/** Says what a value is, in a line and one below it for each member. */
const valueText = (
  schema: Schema | undefined,
  direction: Direction | undefined,
  refer: Refer,
  description?: string,
): string => {
  const name = schema && direction && refer(schema);
  // The check of the document says why a schema cannot be read.
  const rows = name ? [] : (attempt(() => schemaRows(schema, { direction, refer })) ?? []);
  const [whole] = rows.filter(({ path }) => path === '');
  const words = literal(name ?? whole?.words ?? '');
  const text = markdownLine(description ?? whole?.description ?? '');
  const members = rows
    .filter(({ path }) => path !== '')
    .map((row) => {
      const about = sentences(literal(row.words), markdownLine(row.description));
      return code(row.path) + (row.isRequired ? ' (required)' : '') + colon(about);
    });
  if (rows.length >= MOST_ROWS) members.push('and more, in the OpenAPI document');
  return sentences(words, text) + below(members);
};

const parameterItem = (parameter: Parameter, place: string, refer: Refer): string => {
  const { name, required, deprecated, description, schema } = parameter;
  const notes = [place, required && 'required', deprecated && 'deprecated'];
  const direction = place === 'response header' ? 'response' : 'request';
  const text = valueText(schema, direction, refer, description);
  return `${code(name)} (${notes.filter(Boolean).join(', ')})${colon(text)}`;
};

/** Describes contents behind a head; those that differ in their media types alone together. */
const contentText = (
  head: string,
  contents: readonly MediaType[],
  direction: Direction,
  refer: Refer,
): string => {
  const groups = groupBy(contents, ({ schema, itemSchema }) => {
    const text = valueText(schema ?? itemSchema, direction, refer);
    return schema === undefined && itemSchema !== undefined ? `items, each ${text}` : text;
  });
  const items = [...groups].map(
    ([text, same]) => same.map(({ key }) => code(key)).join(', ') + colon(text),
  );
  const [only = '', ...others] = items;
  return others.length === 0 ? sentences(head, only) : head + below(items);
};

const securityText = ({ security, loggedInUser }: Operation): string | false => {
  const needs = security.map((requirement) => {
    const schemes = Object.entries(requirement).map(
      ([name, scopes]) =>
        code(name) + (scopes.length > 0 ? ` with ${scopes.map(code).join(', ')}` : ''),
    );
    return schemes.join(' and ') || 'nothing';
  });
  if (loggedInUser?.required === true) needs.push('a login');
  return needs.length > 0 && `Needs ${needs.join(', or ')}`;
};

const messageBlocks = (operation: Operation, { refer }: Writing): string => {
  const { parameters, requestBody, responses } = operation;
  const head = requestBody?.required === false ? 'Body (optional)' : 'Body';
  const about = markdownLine(requestBody?.description ?? '');
  const parameterItems = parameters.map((one) => parameterItem(one, one.in, refer));
  const byText = groupBy(responses, ({ description, content, headers }) => {
    const text = contentText(markdownLine(description), content, 'response', refer);
    return text + below(headers.map((one) => parameterItem(one, 'response header', refer)));
  });
  const responseItems = [...byText].map(
    ([text, same]) => same.map(({ key }) => escapeMarkdown(key)).join(', ') + colon(text),
  );
  return blocks(
    list('Parameters', parameterItems),
    requestBody && contentText(head + colon(about), requestBody.content, 'request', refer),
    list('Responses', responseItems),
  );
};

const headingOf = ({ method, path, summary }: Operation): string =>
  `### ${code(`${requestMethod(method)} ${path}`)}${colon(escapeMarkdown(summary.trim()))}`;

function* operationParts(operation: Operation, writing: Writing): Iterable<string> {
  const { operationId, deprecated, description, invalidReason } = operation;
  const facts = sentences(
    `Operation ${code(operationId)}`,
    deprecated && 'Deprecated',
    securityText(operation),
    writing.isMocked(operation) && 'Mocked: without a handler',
    invalidReason !== undefined && `Not served: ${markdownLine(invalidReason)}`,
  );
  yield blocks(headingOf(operation), facts, quote(description));
  yield messageBlocks(operation, writing);
  const line = invalidReason === undefined ? writing.curlLine(operation) : '';
  if (line !== '' && line.length <= LONGEST_REQUEST) {
    yield blocks(`Request:\n\n${markdownCodeBlock(line, 'sh')}`);
  }
}

const bearer = `send ${code('Authorization: Bearer TOKEN')}`;

const schemeText = (scheme: SecurityScheme): string => {
  switch (scheme.type) {
    case 'apiKey':
      return `send a key in the ${scheme.in} as ${code(scheme.name)}`;
    case 'http':
      if (/^bearer$/i.test(scheme.scheme)) return bearer;
      return /^basic$/i.test(scheme.scheme)
        ? 'send a user name and a password by HTTP Basic'
        : `send ${code(`Authorization: ${scheme.scheme} …`)}`;
    case 'mutualTLS':
      return 'connect with a client certificate';
    case 'openIdConnect':
      return `OpenID Connect at ${code(scheme.openIdConnectUrl)}, ${bearer}`;
    default:
      return `OAuth 2.0, ${bearer}`;
  }
};

const credentials = ({ securitySchemes, operations }: Model): string => {
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
  const items = [...securitySchemes].flatMap(([name, scheme]) => {
    const text = sentences(schemeText(scheme), markdownLine(scheme.description ?? ''));
    return used.has(name) ? `- ${code(name)}: ${text}` : [];
  });
  if (operations.some(({ loggedInUser }) => loggedInUser !== undefined)) {
    items.push(`- a login: ${bearer}, with the token of a user who signed in`);
  }
  return items.length > 0 ? blocks('## Credentials', items.join('\n')) : '';
};

/** Gives the operations of each tag, those without one at the end; an operation stands at its first. */
const taggedOperations = ({ tags, operations }: Model) => {
  const byTag = groupBy(operations, ({ tags: [first] }) => first);
  const names = new Set([...tags.map(({ name }) => name), ...byTag.keys()]);
  names.delete(undefined);
  const others = byTag.size > 1 ? 'Other operations' : 'Operations';
  return [...names, undefined].flatMap((name) => {
    const description = tags.find((tag) => tag.name === name)?.description;
    const tagged = byTag.get(name);
    return tagged === undefined ? [] : [{ title: name ?? others, description, tagged }];
  });
};

/** Writes the documentation in parts: some for each operation, and one for each component that they refer to. */
export function* documentMarkdown(model: Model, options: MarkdownOptions): Iterable<string> {
  const { info, schemas, webhooks } = model;
  const { url } = options;
  const names = new Set<string>();
  // Components are described once.
  const refer: Refer = (schema) => {
    const { component = '' } = schema;
    const target = schemas.get(component);
    const isAlone =
      schema.default === undefined &&
      constraintsOf(schema).every((keyword) => keyword === 'members');
    if (target === undefined || (schema !== target && !isAlone)) return undefined;
    names.add(component);
    return component;
  };
  const writing = { ...options, refer };
  const about = `Version ${literal(info.version)}, base URL ${code(url)}, OpenAPI ${code(`${url}/openapi.json`)}.`;
  yield `# ${escapeMarkdown(info.title)}\n${blocks(about, quote(info.description))}${credentials(model)}`;
  for (const { title, description, tagged } of taggedOperations(model)) {
    yield blocks(`## ${escapeMarkdown(title)}`, quote(description));
    for (const operation of tagged) yield* operationParts(operation, writing);
  }
  if (webhooks.length > 0) yield blocks('## Webhooks', 'Requests that the service sends.');
  for (const webhook of webhooks) {
    yield blocks(headingOf(webhook), quote(webhook.description)) + messageBlocks(webhook, writing);
  }
  if (names.size > 0) yield blocks('## Schemas');
  // A set also gives what is added while it is read.
  for (const name of names) {
    const schema = schemas.get(name);
    const text = valueText(schema, undefined, refer, '');
    // What lies below a line of a list elsewhere is a list of its own here.
    yield blocks(`### ${code(name)}`, quote(schema?.description), text.replaceAll('\n  ', '\n'));
  }
}
