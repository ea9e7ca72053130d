/** The resources that are inferred from small sets of paths. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { resourcesOf } from '../../../../src/document/resources/resources';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { casesOf } from '../../../support/text-cases';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** The schemas that the cases name. */
const schemas = {
  Thing: parse(`{type: object, properties: {id: {type: integer}, name: {type: string}}}`),
  User: parse(`{type: object, properties: {username: {type: string}, id: {type: integer}}}`),
  Post: parse(
    `{type: object, properties: {id: {type: string}, userId: {type: string}, text: {type: string}}}`,
  ),
  Page: parse(
    `{type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/Thing'}}, total: {type: integer}}}`,
  ),
  Box: parse(`{type: object, properties: {data: {$ref: '#/components/schemas/Thing'}}}`),
  Other: parse('{type: object, properties: {status: {type: string}}}'),
};

const schemaNamed = (name: string): object =>
  name.endsWith('[]')
    ? { type: 'array', items: schemaNamed(name.slice(0, -2)) }
    : { $ref: `#/components/schemas/${name}` };

/** Reads `post /things Thing -> Thing {…}`: method, path, body, success, and further fields of the operation. */
const operationOf = (line: string): [path: string, method: string, operation: object] => {
  const [, method = '', path = '', body, answer, more] =
    /^(\w+) (\S+)(?: (\w+(?:\[\])?))?(?: -> (\S+))?(?: (\{.*\}))?$/.exec(line.trim()) ?? [];
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const links = answer?.startsWith('Thing!')
    ? { links: { it: { operationId: 'linked', parameters: { id: '$response.body#/id' } } } }
    : {};
  const operation = {
    parameters,
    ...(body && { requestBody: json(schemaNamed(body)) }),
    responses: {
      200: {
        description: 'Fine',
        ...(answer && json(schemaNamed(answer.replace('!', '')))),
        ...links,
      },
    },
    ...(more && parse(more)),
  };
  return [path, method, operation];
};

const inferred = (lines: readonly string[]): string[] => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, method, operation] of lines.map(operationOf)) {
    paths[path] = { ...paths[path], [method]: operation };
  }
  const document = parseApiDocument(
    'specs/test.yaml',
    stringify({
      openapi: '3.0.3',
      info: { title: 'Test', version: '1' },
      paths,
      components: { schemas },
    }),
  );
  return resourcesOf(document, schemaContext(document).shapeOf).map(
    ({ name, item, identity, operations }) => {
      const told = operations.map(
        ({ role, operation, owners, isNested }) =>
          `${role}=${operation.method} ${operation.path}${isNested ? ` below ${owners.map(({ property }) => property).join(' ')}` : ''}`,
      );
      return `${name} ${item} by ${identity}: ${told.join(', ')}`;
    },
  );
};

describe('resources', () => {
  test.each(casesOf(join(__dirname, 'resources.cases.txt')))(
    '%s',
    (_title, [paths = '', ...found]) => {
      const expected = found.map((line) => line.slice('= '.length));
      expect(inferred(paths.split(' | ')).map((line) => line.trimEnd())).toEqual(expected);
    },
  );
});
