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
import {
  type MediaType,
  type Operation,
  type Parameter,
  type Response,
  requestMethod,
} from '../model/operation';
import { constraintsOf, type Schema } from '../model/schema';
import { MOST_ROWS, type Refer, type SchemaRow, schemaRows } from '../schema/schema-words';

/** The service around a document. */
export interface MarkdownOptions {
  /** The URL that it is reached at, without a trailing slash. */
  readonly url: string;
  /** Writes the command that sends a request of an operation. */
  curlLine(operation: Operation): string;
  /** Tells whether mocks answer an operation. */
  isMocked(operation: Operation): boolean;
}

/** The context in which operations are described. */
interface Writing extends MarkdownOptions {
  readonly refer: Refer;
}

type Direction = 'request' | 'response';

/** Characters of a request at most; longer ones are left out. */
const LONGEST_REQUEST = 4_000;

/** Joins blocks of lines; each has a blank line before it. */
const blocks = (...texts: readonly (string | undefined | false)[]): string =>
  texts
    .filter(Boolean)
    .map((text) => `\n${text}\n`)
    .join('');

/** Joins what is said of one thing. */
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

/** Writes items below a line of a list. */
const below = (items: readonly string[]): string =>
  items.map((item) => `\n- ${item}`.replaceAll('\n', '\n  ')).join('');

const memberItems = (rows: readonly SchemaRow[]): readonly string[] => [
  ...rows
    .filter(({ path }) => path !== '')
    .map(
      ({ path, isRequired, words, description }) =>
        code(path) +
        (isRequired ? ' (required)' : '') +
        colon(sentences(literal(words), markdownLine(description))),
    ),
  ...(rows.length < MOST_ROWS ? [] : ['and more, in the OpenAPI document']),
];

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
  return sentences(words, text) + below(memberItems(rows));
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

const responseItems = (responses: readonly Response[], refer: Refer): readonly string[] => {
  const groups = groupBy(responses, ({ description, content, headers }) => {
    const text = contentText(markdownLine(description), content, 'response', refer);
    return text + below(headers.map((one) => parameterItem(one, 'response header', refer)));
  });
  return [...groups].map(
    ([text, same]) => same.map(({ key }) => escapeMarkdown(key)).join(', ') + colon(text),
  );
};

const codes = (names: readonly string[]): string => names.map(code).join(', ');

/** Says which credentials an operation needs. */
const securityText = ({ security, loggedInUser }: Operation): string | false => {
  const needs = security.map((requirement) => {
    const schemes = Object.entries(requirement).map(
      ([name, scopes]) => code(name) + (scopes.length > 0 ? ` with ${codes(scopes)}` : ''),
    );
    return schemes.join(' and ') || 'nothing';
  });
  if (loggedInUser?.required === true) needs.push('a login');
  return needs.length > 0 && `Needs ${needs.join(', or ')}`;
};

const exampleRequest = (line: string): string | false =>
  line !== '' && line.length <= LONGEST_REQUEST && `Request:\n\n${markdownCodeBlock(line, 'sh')}`;

/** Writes what requests and responses of an operation hold. */
const messageBlocks = (operation: Operation, { refer }: Writing): string => {
  const { parameters, requestBody, responses } = operation;
  const head = requestBody?.required === false ? 'Body (optional)' : 'Body';
  const about = markdownLine(requestBody?.description ?? '');
  return blocks(
    list(
      'Parameters',
      parameters.map((parameter) => parameterItem(parameter, parameter.in, refer)),
    ),
    requestBody && contentText(head + colon(about), requestBody.content, 'request', refer),
    list('Responses', responseItems(responses, refer)),
  );
};

const headingOf = ({ method, path, summary }: Operation): string =>
  `### ${code(`${requestMethod(method)} ${path}`)}${colon(escapeMarkdown(summary.trim()))}`;

/** Writes a section of an operation that the service answers. */
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
  if (invalidReason === undefined) yield blocks(exampleRequest(writing.curlLine(operation)));
}

const bearer = `send ${code('Authorization: Bearer TOKEN')}`;

/** Says how requests carry the credential of a scheme. */
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

const serviceHead = ({ info }: Model, { url }: MarkdownOptions): string => {
  const { title, version, description } = info;
  const about = [
    `Version ${literal(version)}`,
    `base URL ${code(url)}`,
    `OpenAPI ${code(`${url}/openapi.json`)}`,
  ];
  return `# ${escapeMarkdown(title)}\n${blocks(`${about.join(', ')}.`, quote(description))}`;
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

/** Makes what refers to components, which are described once; each that is referred to is added to the names. */
const referring =
  ({ schemas }: Model, names: Set<string>): Refer =>
  (schema) => {
    const { component = '' } = schema;
    const target = schemas.get(component);
    const isAlone =
      schema.default === undefined &&
      constraintsOf(schema).every((keyword) => keyword === 'members');
    if (target === undefined || (schema !== target && !isAlone)) return undefined;
    names.add(component);
    return component;
  };

/** Writes the documentation in parts: some for each operation, and one for each component that they refer to. */
export function* documentMarkdown(model: Model, options: MarkdownOptions): Iterable<string> {
  const names = new Set<string>();
  const writing = { ...options, refer: referring(model, names) };
  yield serviceHead(model, options) + credentials(model);
  for (const { title, description, tagged } of taggedOperations(model)) {
    yield blocks(`## ${escapeMarkdown(title)}`, quote(description));
    for (const operation of tagged) yield* operationParts(operation, writing);
  }
  if (model.webhooks.length > 0) yield blocks('## Webhooks', 'Requests that the service sends.');
  for (const webhook of model.webhooks) {
    yield blocks(headingOf(webhook), quote(webhook.description)) + messageBlocks(webhook, writing);
  }
  if (names.size > 0) yield blocks('## Schemas');
  // A set also gives what is added while it is read.
  for (const name of names) {
    const schema = model.schemas.get(name);
    const text = valueText(schema, undefined, writing.refer, '');
    // What lies below a line of a list elsewhere is a list of its own here.
    yield blocks(`### ${code(name)}`, quote(schema?.description), text.replaceAll('\n  ', '\n'));
  }
}
