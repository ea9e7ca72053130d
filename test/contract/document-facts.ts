/** Reads what a document under specs/ says into the form of the contracts' tables. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export type Node = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The text of a document as it stands in specs/. */
export const documentText = (name: string): string =>
  readFileSync(path.join(__dirname, '../../specs', `${name}.yaml`), 'utf8');

/** The document as plain data. */
export const readSpec = (name: string): Node => node(parse(documentText(name)));

/** The value as a mapping; an absent one is empty. Throws for anything else. */
export const node = (value: unknown = {}): Node => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`not a mapping: ${JSON.stringify(value)}`);
  }
  return Object.fromEntries(Object.entries(value));
};

/** The value as a list; an absent one is empty. Throws for anything else. */
export const list = (value: unknown = []): readonly unknown[] => {
  if (!Array.isArray(value)) throw new TypeError(`not a list: ${JSON.stringify(value)}`);
  return value;
};

/** Resolves a local reference (`#/a/b`); undefined where it is dangling. */
export const lookUp = (document: Node, ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, step) => (at === undefined ? undefined : node(at)[step]), document);

/** The mapping, or what its `$ref` names. */
export const resolved = (document: Node, value: unknown): Node => {
  const { $ref } = node(value);
  return typeof $ref === 'string' ? resolved(document, lookUp(document, $ref)) : node(value);
};

const mapped = (value: unknown, change: (value: unknown) => unknown): Node =>
  Object.fromEntries(Object.entries(node(value)).map(([key, entry]) => [key, change(entry)]));

/** A Schema Object without its documentation. */
export const bareSchema = (value: unknown): Node => {
  const { description, example, properties, items, additionalProperties, ...rest } = node(value);
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: mapped(properties, bareSchema) }),
    ...(items === undefined ? {} : { items: bareSchema(items) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: bareSchema(additionalProperties) }),
  };
};

const bareParameter = (value: unknown): Node => {
  const { name, in: place, description, example, schema, ...rest } = node(value);
  return { ...rest, schema: bareSchema(schema) };
};

const contentFacts = (content: unknown): Node => {
  const schemas = Object.values(node(content)).map((media) => bareSchema(node(media)['schema']));
  const different = new Set(schemas.map((schema) => JSON.stringify(schema)));
  if (different.size > 1) throw new Error('media types of one body differ in their schemas');
  return schemas.length === 0
    ? {}
    : { media: Object.keys(node(content)).sort(), schema: schemas[0] };
};

const requestFacts = (document: Node, value: unknown): Node => {
  const { description, content, required = false, ...rest } = resolved(document, value);
  return { ...rest, required, ...contentFacts(content) };
};

/** A response in the form of the tables. */
export const bodyFacts = (response: Node): Node => ({
  ...contentFacts(response['content']),
  ...(response['headers'] === undefined
    ? {}
    : { headers: mapped(response['headers'], bareParameter) }),
});

/** The responses of an operation, references followed: `default` is a success where no 2xx is listed. */
export const responsesOf = (document: Node, operation: Node) => {
  const all = Object.entries(node(operation['responses'])).map(
    ([status, response]) => [status, resolved(document, response)] as const,
  );
  const listsSuccess = all.some(([status]) => status.startsWith('2'));
  const isSuccess = (status: string) =>
    status === 'default' ? !listsSuccess : status.startsWith('2');
  return {
    success: all.filter(([status]) => isSuccess(status)),
    errors: all.filter(([status]) => !isSuccess(status)),
  };
};

/** Every operation of the document with the method and path that lead to it. */
export const operationsOf = (document: Node) =>
  Object.entries(node(document['paths'])).flatMap(([template, item]) =>
    METHODS.filter((method) => method in node(item)).map((method) => ({
      method,
      path: template,
      operation: node(node(item)[method]),
    })),
  );

/** An operation in the form of a row of the contract's table, with what the document adds; undefined where there is none. */
export const operationFacts = (document: Node, id: string): Node | undefined => {
  const found = operationsOf(document).find(({ operation }) => operation['operationId'] === id);
  if (found === undefined) return undefined;
  const { method, path: template, operation } = found;
  const { success, errors } = responsesOf(document, operation);
  const extensions = Object.entries(operation).filter(([key]) => key.startsWith('x-'));
  return {
    tag: list(operation['tags']).join(),
    endpoint: `${method.toUpperCase()} ${template}`,
    parameters: Object.fromEntries(
      list(operation['parameters']).map((value) => {
        const parameter = resolved(document, value);
        return [`${parameter['in']} ${parameter['name']}`, bareParameter(parameter)];
      }),
    ),
    ...('requestBody' in operation
      ? { body: requestFacts(document, operation['requestBody']) }
      : {}),
    success: Object.fromEntries(success.map(([key, response]) => [key, bodyFacts(response)])),
    errors: Object.fromEntries(errors.map(([key, response]) => [key, response['description']])),
    security: list(operation['security']),
    ...(extensions.length === 0 ? {} : { extensions: Object.fromEntries(extensions) }),
  };
};

/** Every mapping of the document with the JSON Pointer that leads to it, outermost first. */
export const nodesOf = (value: unknown, pointer = '#'): readonly (readonly [string, Node])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, entry]) =>
    nodesOf(entry, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return Array.isArray(value) ? inner : [[pointer, node(value)], ...inner];
};
