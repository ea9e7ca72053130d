/** The resources that are inferred from small sets of paths. */

import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { resourcesOf } from '../../../../src/document/resources/resources';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';

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
  test.each<[title: string, paths: string, expected: readonly string[]]>([
    [
      'a collection and its items',
      `get /things -> Thing[] | post /things Thing -> Thing | get /things/{thingId} -> Thing | put /things/{thingId} Thing -> Thing
       | patch /things/{thingId} Thing -> Thing | delete /things/{thingId}`,
      [
        'things /things/{thingId} by id: list=get /things, create=post /things, read=get /things/{thingId}, ' +
          'replace=put /things/{thingId}, delete=delete /things/{thingId}, patch=patch /things/{thingId}',
      ],
    ],
    [
      'slashes at the end, and lists in envelopes',
      'get /v1/things/ -> Page | get /v1/things/{id}/ -> Thing | delete /v1/things/{id}/',
      [
        'things /v1/things/{id} by id: list=get /v1/things/, read=get /v1/things/{id}/, delete=delete /v1/things/{id}/',
      ],
    ],
    [
      'an item in an envelope',
      'post /things Box -> Box | get /things/{id} -> Box',
      ['things /things/{id} by id: create=post /things, read=get /things/{id}'],
    ],
    [
      'the identity in the body, and parts of the list',
      `put /things Thing -> Thing | get /things/recent -> Thing[] | get /things/{thing_id} -> Thing
       | post /things/{thing_id} {parameters: [{name: thing_id, in: path, required: true, schema: {type: string}}, {name: name, in: query, schema: {type: string}}]}`,
      [
        'things /things/{thing_id} by id: replace=put /things, read=get /things/{thing_id}, patch=post /things/{thing_id}, list=get /things/recent',
      ],
    ],
    [
      'items that a name tells apart',
      'post /user User | get /user/{username} -> User',
      ['user /user/{username} by username: create=post /user, read=get /user/{username}'],
    ],
    [
      'items below items, and lists of them',
      `post /users User -> User | get /users/{username} -> User | get /users/{userId}/posts -> Post[] | post /users/{userId}/posts Post -> Post
       | get /posts/{postId} -> Post | get /users/{username}/things -> Thing[] | get /users/{username}/things/{id} -> Thing`,
      [
        'users /users/{username} by username: create=post /users, read=get /users/{username}',
        'posts /posts/{postId} by id: read=get /posts/{postId}, list=get /users/{userId}/posts below userId, create=post /users/{userId}/posts below userId',
        'things /users/{username}/things/{id} by id: list=get /users/{username}/things, read=get /users/{username}/things/{id}',
      ],
    ],
    [
      'a link says what is created',
      'post /orders Thing -> Thing! | get /things/{id} -> Thing {operationId: linked}',
      ['things /things/{id} by id: read=get /things/{id}, create=post /orders below '],
    ],
    [
      'a link says what names an item',
      `post /named Thing {responses: {200: {description: Fine, links: {it: {operationId: named, parameters: {key: '$response.body#/name'}}}}}}
       | get /named/{key} -> Thing {operationId: named}`,
      ['named /named/{key} by name: create=post /named, read=get /named/{key}'],
    ],
    [
      'nothing: actions, other answers, only items, names within steps',
      `post /things/{id}/start -> Other | get /states/{id} -> Other | put /states/{id} Other | get /single/{id} -> Thing
       | get /{id} -> Thing | delete /{id} | get /named/a-{id} -> Thing | delete /named/a-{id} | post /jobs -> Other`,
      [],
    ],
    [
      'lists of bodies create nothing',
      'post /things Thing[] -> Thing[] | get /things -> Thing[] | get /things/{id} -> Thing',
      ['things /things/{id} by id: list=get /things, read=get /things/{id}'],
    ],
    [
      'false takes an operation out',
      'post /things Thing -> Thing {x-spec-first-resource: false} | get /things/{id} -> Thing | delete /things/{id} {x-spec-first-resource: false}',
      [],
    ],
    [
      'a role and a name of its own',
      `get /things/{id} -> Thing | post /things/{id} Other -> Other {x-spec-first-resource: {role: patch}}
       | post /register Thing -> Other {x-spec-first-resource: {name: things, role: create}}`,
      [
        'things /things/{id} by id: read=get /things/{id}, patch=post /things/{id}, create=post /register below ',
      ],
    ],
    [
      'an identity of its own',
      'get /things/{key} -> Thing {x-spec-first-resource: {identity: name}} | put /things/{key} Thing -> Thing',
      ['things /things/{key} by name: read=get /things/{key}, replace=put /things/{key}'],
    ],
  ])('%s', (_title, paths, expected) => {
    expect(inferred(paths.split('|'))).toEqual(expected);
  });
});
