/** Compares documents that are written around a fragment, for cases that are text. */

import { parse } from 'yaml';
import { type Change, diffDocuments } from '../../../../src/contract';
import { type ApiDocument, parseApiDocument } from '../../../../src/engine';

const versionOf = (kind: string): string => {
  if (kind.endsWith('3.2')) return '3.2.0';
  return kind.endsWith('3.1') ? '3.1.1' : '3.0.3';
};

/** A document of the fields that a case gives; objects of YAML or text. */
export const documentOf = (fields: object, file = 'a.yaml'): ApiDocument =>
  parseApiDocument(
    file,
    JSON.stringify({ openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: {}, ...fields }),
  );

/** The whole text is YAML, so that its numbers are read as documents are. */
const around = (schema: string, components: string, mediaType: string): string => `
info: {title: A, version: '1'}
paths:
  /a:
    post:
      operationId: change
      requestBody: {content: {${mediaType}: {schema: ${schema}}}}
      responses: {'200': {description: A, content: {${mediaType}: {schema: ${schema}}}}}
components: {schemas: ${components}}
`;

/** Reads a document with an operation for each schema, which takes and gives its values: the first at `/0`, and so on. */
export const documentAround = (kind: string, schemas: readonly string[]): ApiDocument => {
  const paths = schemas.map((schema, index) => {
    const content = `content: {application/json: {schema: ${schema}}}`;
    const responses = `{'200': {description: A, ${content}}}`;
    return `  /${index}: {post: {requestBody: {${content}}, responses: ${responses}}}`;
  });
  const head = [`openapi: ${versionOf(kind)}`, "info: {title: A, version: '1'}", 'paths:'];
  return parseApiDocument('a.yaml', [...head, ...paths].join('\n'));
};

const operationDocument = (operation: string, components: string): string => `
info: {title: A, version: '1'}
paths: {/a: {post: ${operation}}}
components: ${components}
`;

/** Documents whose webhook, or callback of an operation, is given, also by reference. */
export const webhookTexts = (operation: string, components: string): readonly string[] => {
  const head = (version: string) => `openapi: ${version}\ninfo: {title: A, version: '1'}\n`;
  const sent = withResponses(operation);
  const item = `{post: ${sent}}`;
  const callback = (callbacks: string) =>
    `paths: {/a: {post: {responses: {'200': {description: A}}, callbacks: ${callbacks}}}}\n`;
  const inline = callback(`{c: {'{$request.body#/url}': ${item}}}`);
  const shared = `${callback("{c: {$ref: '#/components/callbacks/c'}}")}components: {callbacks: {c: {'{$request.body#/url}': ${item}}}, ${components.slice(1)}`;
  const referred = `webhooks: {a: {$ref: '#/components/pathItems/a'}}\ncomponents: {pathItems: {a: ${item}}, ${components.slice(1)}`;
  const whole = [inline, `webhooks: {a: ${item}}\n`].map(
    (part) => `${part}components: ${components}`,
  );
  return [
    ...[whole[0], shared].map((text) => head('3.0.3') + text),
    ...['3.1.1', '3.2.0'].flatMap((version) =>
      [...whole, shared, referred].map((text) => head(version) + text),
    ),
  ];
};

/** The fields of a case beside `old` and `new`. */
export type Fields = ReadonlyMap<string, string>;

/** The documents of a case: `old` and `new` are schemas, operations or documents; its kind ends with a version, if it is not 3.0. */
export const textsOf = (kind: string, fields: Fields): readonly [old: string, now: string] => {
  const [old, now] = ['old', 'new'].map((name) => {
    const given = fields.get(name) ?? '';
    const parts = fields.get(`${name} components`) ?? fields.get('components') ?? '{}';
    const version = `openapi: ${versionOf(kind)}\n`;
    if (kind.startsWith('schemas')) {
      return version + around(given, parts, fields.get('in') ?? 'application/json');
    }
    if (kind.startsWith('operations'))
      return version + operationDocument(withResponses(given), parts);
    return `${version}info: {title: A, version: '1'}\n${given}`;
  });
  return [old ?? '', now ?? ''];
};

/** An operation has responses; most cases speak of something else. */
const withResponses = (operation: string): string => {
  const fields: unknown = parse(operation);
  const has = typeof fields === 'object' && fields !== null && 'responses' in fields;
  return has ? operation : operation.replace(/^\{/, "{responses: {'200': {description: A}}, ");
};

/** Compares the documents of a case. */
export const changesOf = (kind: string, fields: Fields): readonly Change[] => {
  const [old, now] = textsOf(kind, fields);
  return diffDocuments(parseApiDocument('old.yaml', old), parseApiDocument('new.yaml', now));
};

/** `breaking maximum-lowered, …` of a side; `nothing` where there are none. */
export const expectationOf = (changes: readonly Change[], side: Change['side']): string =>
  changes
    .filter((change) => change.side === side)
    .map(({ severity, rule }) => `${severity} ${rule}`)
    .join(', ') || 'nothing';
