/** What mocks remember of unusual resources: how their items begin, are answered, listed and found. */

import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { askAt } from '../../../support/ask';
import { serveDocument } from '../../../support/serve-document';

const components = parse(`
schemas:
  Thing: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string }, rank: { type: integer } } }
  Flag: { type: object, required: [id, on, tag], properties: { id: { type: integer }, on: { type: boolean }, tag: { type: string, enum: [red, blue] } } }
  Note: { type: object, required: [id], properties: { id: { type: integer }, userId: { type: string, pattern: '^u' } } }
`);

/** A list at `/things`, and its items below. */
const resource = (list: string, more = '', item = '#/components/schemas/Thing'): string => `
/things:
  get:
    ${list}
  ${more}
/things/{id}:
  parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
  get: { responses: { '200': { description: One, content: { application/json: { schema: { $ref: '${item}' } } } } } }
  delete: { responses: { '204': { description: Gone } } }
`;

const things = (parameters: string, example = '', headers = ''): string =>
  `{ parameters: [${parameters}], responses: { '200': { description: All, headers: { ${headers} }, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } }${example} } } } } }`;

const three =
  ', example: [{ id: 3, name: C, rank: 1 }, { id: 1, name: A, rank: 2 }, { id: 2, name: B }]';
const [a, b, c] = [
  '{"id":1,"name":"A","rank":2}',
  '{"id":2,"name":"B"}',
  '{"id":3,"name":"C","rank":1}',
];

const query = (name: string, schema: string): string =>
  `{ name: ${name}, in: query, schema: ${schema} }`;

const answering = (schema: string, headers = ''): string =>
  `post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }, responses: { '201': { description: Made, headers: { ${headers} }, content: { application/json: { schema: ${schema} } } } } }`;

/** Asks line by line; tells status, body and the header that a line names in brackets. */
const play = async (paths: string, lines: readonly string[]): Promise<string[]> => {
  const document = { paths: parse(paths), components };
  const { url, errors } = await serveDocument({ document, mocks: true });
  const ask = askAt(url);
  const told: string[] = [];
  for (const line of lines) {
    const [, target = '', header, body] =
      /^(\S+ \S+)(?: \[(\S+)\])?(?: (\{.*\}))?$/.exec(line) ?? [];
    const { status, text, headers } = await ask(target, body ? { body: JSON.parse(body) } : {});
    const said = header === undefined ? '' : ` ${String(headers[header]).replace(url, 'URL')}`;
    told.push(`${line} => ${status}${said} ${text}`.trim());
  }
  expect(errors).toEqual([]);
  return told;
};

test.each<[title: string, paths: string, lines: string]>([
  [
    'begins with the items of an example, those in an envelope too, one for each identity',
    resource(
      `{ responses: { '200': { description: All, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { $ref: '#/components/schemas/Thing' } }, count: { type: integer } } }, example: { items: [{ id: 5 }, { id: 5, name: again }, { name: none }] } } } } } }`,
    ),
    `GET /things => 200 {"items":[{"id":5}],"count":1}
     GET /things/5 => 200 {"id":5}
     DELETE /things/5 => 204
     GET /things => 200 {"items":[],"count":0}`,
  ],
  [
    'begins with the items that fit where an example is none',
    resource(
      things('', ', examples: { no: { value: { id: 1 } }, one: { value: [7, { id: 6 }] } }'),
    ),
    `GET /things => 200 [{"id":6}]`,
  ],
  [
    'begins with sampled items that differ where they can',
    resource(things(''), '', '#/components/schemas/Flag').replaceAll(
      'schemas/Thing',
      'schemas/Flag',
    ),
    `GET /things => 200 [{"id":1,"on":true,"tag":"red"},{"id":2,"on":false,"tag":"blue"},{"id":3,"on":true,"tag":"red"}]`,
  ],
  [
    'shows each item as far as the list declares it, and completes it',
    resource(things('', three)).replace(
      "items: { $ref: '#/components/schemas/Thing' }",
      'items: { type: object, additionalProperties: false, required: [id, state], properties: { id: { type: integer }, name: { type: string, maxLength: 3 }, state: { type: string, enum: [kept] } } }',
    ),
    `GET /things => 200 [{"id":3,"state":"kept","name":"C"},{"id":1,"state":"kept","name":"A"},{"id":2,"state":"kept","name":"B"}]`,
  ],
  [
    'lists samples with the identities where no item fits',
    resource(things('', three)).replace(
      "items: { $ref: '#/components/schemas/Thing' }",
      'items: { type: object, required: [id, a, b], properties: { id: { type: integer }, a: { type: string }, b: { type: string } }, not: { required: [name] } }',
    ),
    `GET /things => 200 [{"id":3,"a":"string","b":"string"},{"id":1,"a":"string","b":"string"},{"id":2,"a":"string","b":"string"}]`,
  ],
  [
    'sorts by what items have, those without it last',
    resource(things(query('sort', '{ type: array, items: { type: string } }'), three)),
    `GET /things?sort=rank => 200 [${c},${a},${b}]
     GET /things?sort=-rank => 200 [${a},${c},${b}]
     GET /things?sort=+name => 200 [${a},${b},${c}]
     GET /things?sort= => 200 [${c},${a},${b}]
     GET /things?sort=colour&sort=-id => 200 [${c},${b},${a}]`,
  ],
  [
    'counts pages from the least that is declared, and takes what is no size for none',
    resource(
      things(
        `${query('page', '{ type: integer, minimum: 0 }')}, ${query('size', '{ type: string }')}`,
        three,
      ),
    ),
    `GET /things?page=0&size=2 => 200 [${c},${a}]
     GET /things?page=1&size=2 => 200 [${b}]
     GET /things?page=1 => 200 []
     GET /things?size=many => 200 [${c},${a},${b}]`,
  ],
  [
    'fills in the headers that count, where they are whole numbers',
    resource(
      things(
        '',
        three,
        `X-Total: { schema: { type: integer } }, X-Pages: { schema: { type: string } }, X-Rest: { schema: { type: integer } }`,
      ),
    ),
    `GET /things [x-total] => 200 3 [${c},${a},${b}]
     GET /things [x-pages] => 200 undefined [${c},${a},${b}]
     GET /things [x-rest] => 200 undefined [${c},${a},${b}]`,
  ],
  [
    'names a new item by a URL where a path does not do, and in an answer that is no item',
    resource(
      things('', three),
      answering(
        `{ type: object, required: [id, state], properties: { id: { type: integer }, state: { type: string, enum: [made] } } }`,
        'Location: { schema: { type: string, format: uri } }',
      ),
    ),
    `POST /things [location] {"name":"D"} => 201 URL/things/4 {"id":4,"state":"made"}`,
  ],
  [
    'names a new item by a path as URLs have it',
    resource(things('', three), answering('{ type: object }', 'Location: {}')).replaceAll(
      '/things',
      '/my things',
    ),
    `POST /my%20things [location] {"name":"D"} => 201 /my%20things/4 {}`,
  ],
  [
    'answers as sampled where neither the place nor the identity of a new item fits',
    resource(
      things('', three),
      answering(
        `{ type: object, required: [id], properties: { id: { type: string, enum: [none] } } }`,
        'Location: { schema: { type: integer } }',
      ),
    ),
    `POST /things [location] {"name":"D"} => 201 1 {"id":"none"}`,
  ],
  [
    'lists items below the item that they name, where what names it fits',
    `
/notes: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, responses: { '200': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } } } }
/notes/{id}: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], get: { responses: { '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } } } }
/users/{userId}/notes:
  parameters: [{ name: userId, in: path, required: true, schema: { type: string } }]
  get: { responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } } }
  post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, responses: { '200': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } } }`,
    `POST /notes {"id":11,"userId":"u1"} => 200 {"id":11,"userId":"u1"}
     POST /users/u2/notes {"id":12} => 200 {"id":12,"userId":"u2"}
     POST /users/7/notes {"id":13} => 200 {"id":13}
     GET /users/u1/notes => 200 [{"id":11,"userId":"u1"}]
     GET /users/u2/notes => 200 [{"id":12,"userId":"u2"}]
     GET /users/7/notes => 200 []`,
  ],
])('it %s', async (_title, paths, text) => {
  const lines = text.split('\n').map((line) => line.trim());
  const asked = lines.map((line) => line.replace(/ => .*/, ''));
  expect(await play(paths, asked)).toEqual(lines);
});
