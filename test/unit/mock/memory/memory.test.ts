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

const paged = (members: string, parameters: string): string =>
  resource(
    `{ parameters: [${parameters}], responses: { '200': { description: All, content: { application/json: { schema: { type: object, required: [data], properties: { data: { type: array, items: { $ref: '#/components/schemas/Thing' } }, ${members} } }, example: { data: [{ id: 1 }, { id: 2 }, { id: 3 }] } } } } } }`,
  );
const pageAndSize = `${query('page', '{ type: integer }')}, ${query('per_page', '{ type: integer }')}`;
const nullable = (type: string, more = ''): string => `{ type: ${type}, nullable: true${more} }`;

/** An item that no list shows and nothing creates. */
const hidden = `
/guilds/{guild_id}:
  parameters: [{ name: guild_id, in: path, required: true, schema: { type: string, pattern: '^g' } }]
  get: { responses: { '200': &guild { description: One, content: { application/json: { schema: &Guild { type: object, required: [id], properties: { id: { type: string, pattern: '^g' }, name: { type: string, minLength: 3 } } } } } }, 4XX: &no { description: No } } }
  patch: { requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }, responses: { '200': *guild, 4XX: *no } }
  delete: { responses: { '204': { description: Gone }, 4XX: *no } }
/guilds/{guild_id}/roles/{role_id}:
  parameters: [{ name: guild_id, in: path, required: true, schema: { type: string } }, { name: role_id, in: path, required: true, schema: { type: integer } }]
  get: { responses: { '200': &role { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }, 4XX: *no } }
  patch: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }, responses: { '200': *role, 4XX: *no } }
`;

/** A resource that is changed by patches of several media types. */
const patched = (failures: string): string => `
/tags: { get: { responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: &Tag { type: object, required: [id, t], properties: { id: { type: integer }, t: { type: string, minLength: 3 } } } }, example: [{ id: 1, t: abc }] } } } } } }
/tags/{id}:
  parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
  get: { responses: { '200': { description: One, content: { application/json: { schema: *Tag } } } } }
  patch:
    requestBody: { content: { application/json-patch+json: { schema: &Any {} }, application/json: { schema: *Any }, application/merge-patch+json: { schema: *Tag }, text/plain: {} } }
    responses: { '200': { description: One, content: { application/json: { schema: *Tag } } }, ${failures} }
`;

/** Asks line by line; tells status, body and the header that a line names in brackets. */
const play = async (paths: string, lines: readonly string[]): Promise<string[]> => {
  const document = { paths: parse(paths), components };
  const { url, errors } = await serveDocument({ document, mocks: true });
  const ask = askAt(url);
  const told: string[] = [];
  for (const line of lines) {
    const [, target = '', header, type, body] =
      /^(\S+ \S+)(?: \[([\w-]+)\])?(?: \((.*?)\))?(?: ([[{].*[\]}]))?$/.exec(line) ?? [];
    const { status, text, headers } = await ask(
      target,
      body ? { body: JSON.parse(body), ...(type && { type }) } : {},
    );
    const said = header === undefined ? '' : ` ${String(headers[header]).replace(url, 'URL')}`;
    told.push(`${line} => ${status}${said} ${text.replaceAll(url, 'URL')}`.trim());
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
    'fills in the headers that count',
    resource(
      things(
        '',
        three,
        `X-Total: { schema: { type: integer } }, X-Pages: { schema: { type: string } }, X-Rest: { schema: { type: integer } }`,
      ),
    ),
    `GET /things [x-total] => 200 3 [${c},${a},${b}]
     GET /things [x-pages] => 200 1 [${c},${a},${b}]
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
  [
    'answers 404 where it is declared alone: what is not there is read as sampled, and kept when it is changed',
    resource(things('', three)),
    `GET /things/9 => 200 {"id":9,"name":"string","rank":1}
     DELETE /things/9 => 204
     DELETE /things/2 => 204
     GET /things => 200 [${c},${a}]`,
  ],
  [
    'has any item where nothing lists or creates them, and keeps it, until it is deleted',
    hidden,
    `GET /guilds/g7 => 200 {"id":"g7","name":"string"}
     GET /guilds/x7 => 400
     PATCH /guilds/g8 {"name":"Mine"} => 200 {"id":"g8","name":"Mine"}
     GET /guilds/g8 => 200 {"id":"g8","name":"Mine"}
     GET /guilds/g9/roles/5 => 200 {"id":5,"name":"string","rank":1}
     PATCH /guilds/g9/roles/5 {"id":5,"name":"R"} => 200 {"id":5,"name":"R","rank":1}
     GET /guilds/g9/roles/5 => 200 {"id":5,"name":"R","rank":1}
     DELETE /guilds/g8 => 204
     GET /guilds/g8 => 404
     DELETE /guilds/g8 => 404`,
  ],
  [
    'gives samples the values that their path names, where an author has written none',
    `
/guilds/{id}: { parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }], get: { responses: { '200': { description: One, content: { application/json: { schema: { type: object, properties: { id: { type: integer, format: int64 }, name: { type: string } } } } } } } } }
/teams/{teamId}: { parameters: [{ name: teamId, in: path, required: true, schema: { type: string, format: uuid } }], get: { responses: { '200': { description: One, content: { application/json: { schema: { type: object, properties: { id: { type: string, format: uuid } } } } } } } } }
/shops/{shop_id}/stats: { parameters: [{ name: shop_id, in: path, required: true, schema: { type: integer } }], get: { responses: { '200': { description: All, content: { application/json: { schema: { type: object, properties: { id: { type: integer }, shopId: { type: integer } } } } } } } } }
/named/{id}: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], get: { responses: { '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' }, example: { id: 4 } } } } } } }`,
    `GET /guilds/9007199254740995 => 200 {"id":9007199254740995,"name":"string"}
     GET /teams/0b0f8f2c-54a4-4c4e-8c0f-1d5f64a4d111 => 200 {"id":"0b0f8f2c-54a4-4c4e-8c0f-1d5f64a4d111"}
     GET /shops/77/stats => 200 {"id":1,"shopId":77}
     GET /named/5 => 200 {"id":4}`,
  ],
  [
    'refuses a change after which the item would not fit',
    hidden,
    `PATCH /guilds/g8 {"name":"M"} => 400
     PATCH /guilds/g8 {"name":null} => 400
     GET /guilds/g8 => 200 {"id":"g8","name":"string"}`,
  ],
  [
    'merges patches, and refuses those of other kinds, by their media type or their form',
    patched("'415': { description: No }, '422': { description: No }"),
    `PATCH /tags/1 (application/json-patch+json) [{"op":"replace","path":"/t","value":"zzz"}] => 415
     PATCH /tags/77 (application/json-patch+json) [{"op":"replace","path":"/t","value":"zzz"}] => 415
     PATCH /tags/1 (application/json-patch+json) {"t":"zzz"} => 415
     PATCH /tags/1 (application/json) ["zzz"] => 415
     PATCH /tags/1 (text/plain) {"t":"zzz"} => 415
     GET /tags/1 => 200 {"id":1,"t":"abc"}
     PATCH /tags/1 (application/merge-patch+json) {"id":1,"t":"yyy"} => 200 {"id":1,"t":"yyy"}
     PATCH /tags/1 {"t":"xxx"} => 200 {"id":1,"t":"xxx"}
     PATCH /tags/1 {"t":"y"} => 422`,
  ],
  [
    'says the next and the previous page by number and by URL',
    paged(
      `next: ${nullable('integer')}, prev: ${nullable('integer')}, links: { type: object, properties: { next: ${nullable('string', ', format: uri')}, prev: { type: string, format: uri } } }`,
      pageAndSize,
    ),
    `GET /things?per_page=2 => 200 {"data":[{"id":1},{"id":2}],"next":2,"prev":null,"links":{"next":"URL/things?page=2&per_page=2"}}
     GET /things?per_page=2&page=2 => 200 {"data":[{"id":3}],"next":null,"prev":1,"links":{"next":null,"prev":"URL/things?page=1&per_page=2"}}
     GET /things => 200 {"data":[{"id":1},{"id":2},{"id":3}],"next":null,"prev":null,"links":{"next":null}}`,
  ],
  [
    'says the next page by offset, cursor and text, as it is asked for, and none at the end',
    paged(
      `meta: { type: object, required: [next], properties: { next: { type: string }, next_offset: { type: integer } } }`,
      `${query('offset', '{ type: integer }')}, ${query('limit', '{ type: integer }')}, ${query('cursor', '{ type: string }')}`,
    ),
    `GET /things?limit=2&offset=0 => 200 {"data":[{"id":1},{"id":2}],"meta":{"next":"2","next_offset":2}}
     GET /things?limit=2&offset=2 => 200 {"data":[{"id":3}],"meta":{"next":""}}
     GET /things?limit=2 => 200 {"data":[{"id":1},{"id":2}],"meta":{"next":"Mg","next_offset":2}}
     GET /things?limit=2&cursor=Mg => 200 {"data":[{"id":3}],"meta":{"next":""}}`,
  ],
  [
    'sends all where no way leads on, and takes what is named like a page for a filter then',
    resource(
      things(
        `${query('limit', '{ type: integer }')}, ${query('rank', '{ type: integer }')}, ${query('since', '{ type: string, format: date-time }')}`,
        three,
      ),
    ),
    `GET /things?limit=1 => 200 [${c},${a},${b}]
     GET /things?limit=1&rank=2&since=2020-01-01T00:00:00Z => 200 [${a}]`,
  ],
  [
    'cuts by the most that a body may hold, and says so',
    paged('hasMore: { type: boolean }, total: { type: integer }', pageAndSize).replace(
      'type: array,',
      'type: array, maxItems: 2,',
    ),
    `GET /things => 200 {"data":[{"id":1},{"id":2}],"hasMore":true,"total":3}
     GET /things?per_page=3&page=2 => 200 {"data":[{"id":3}],"hasMore":false,"total":3}`,
  ],
  [
    'goes back by cursors, too, to the place before all items',
    paged(
      `has_more: { type: boolean }, prev_cursor: ${nullable('string')}, links: { type: object, properties: { prev: { type: string } } }`,
      `${query('after', '{ type: string }')}, ${query('limit', '{ type: integer, minimum: 1, maximum: 2, default: 1 }')}`,
    ),
    `GET /things?after=2 => 200 {"data":[{"id":3}],"has_more":false,"prev_cursor":"MQ","links":{"prev":"URL/things?after=MQ&limit=1"}}
     GET /things?after=- => 200 {"data":[{"id":1}],"has_more":true,"prev_cursor":null,"links":{}}`,
  ],
])('it %s', async (_title, paths, text) => {
  const lines = text.split('\n').map((line) => line.trim());
  const asked = lines.map((line) => line.replace(/ => .*/, ''));
  expect(await play(paths, asked)).toEqual(lines);
});
