/** What mocks remember of unusual resources: how their items begin, are answered, listed and found. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { askAt } from '../../../support/ask';
import { serveDocument } from '../../../support/serve-document';
import { casesOf, writtenOut } from '../../../support/text-cases';

const components = parse(`
schemas:
  Thing: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string }, rank: { type: integer } } }
  Flag: { type: object, required: [id, on, tag], properties: { id: { type: integer }, on: { type: boolean }, tag: { type: string, enum: [red, blue] } } }
  Note: { type: object, required: [id], properties: { id: { type: integer }, userId: { type: string, pattern: '^u' } } }
`);
const three = '[{ id: 3, name: C, rank: 1 }, { id: 1, name: A, rank: 2 }, { id: 2, name: B }]';
const Thing = { $ref: '#/components/schemas/Thing' };
const json = (media: object) => ({ content: { 'application/json': media } });

/** What a list, or the answer to a new item, declares. */
interface Answer {
  readonly parameters?: readonly object[];
  readonly headers?: object;
  readonly schema: object;
}

/** A list, and its items below. */
const resource = (list: Answer, made?: Answer, item: object = Thing, at = '/things'): object => {
  const answer = (description: string, { headers = {}, parameters: _, ...media }: Answer) => ({
    ...{ description, headers, ...json(media) },
  });
  const post = made && {
    requestBody: json({ schema: Thing }),
    responses: { 201: answer('Made', made) },
  };
  return {
    [at]: {
      get: { parameters: list.parameters ?? [], responses: { 200: answer('All', list) } },
      ...(post && { post }),
    },
    [`${at}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: answer('One', { schema: item }) } },
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  };
};

/** An item that no list shows and nothing creates. */
const guilds: object = parse(`
/guilds/{guild_id}:
  parameters: [{ name: guild_id, in: path, required: true, schema: { type: string, pattern: '^g' } }]
  get: { responses: { '200': &guild { description: One, content: { application/json: { schema: &Guild { type: object, required: [id], properties: { id: { type: string, pattern: '^g' }, name: { type: string, minLength: 3 } } } } } }, 4XX: &no { description: No } } }
  patch: { requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }, responses: { '200': *guild, 4XX: *no } }
  delete: { responses: { '204': { description: Gone }, 4XX: *no } }
/guilds/{guild_id}/roles/{role_id}:
  parameters: [{ name: guild_id, in: path, required: true, schema: { type: string } }, { name: role_id, in: path, required: true, schema: { type: integer } }]
  get: { responses: { '200': &role { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }, 4XX: *no } }
  patch: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }, responses: { '200': *role, 4XX: *no } }
`);

/** Asks line by line; tells status, body and the header that a line names in brackets. */
const play = async (paths: object, lines: readonly string[]): Promise<string[]> => {
  const document = { paths, components };
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

test.each(casesOf(join(__dirname, 'memory.cases.txt')))('it %s', async (_title, lines) => {
  const steps = lines.filter((line) => line.includes(' => '));
  const given = lines.filter((line) => !line.includes(' => ')).join('\n');
  const { paths, list, made, item, at } = parse(writtenOut(given.replace('*three', three)));
  const named = paths === 'guilds' ? guilds : paths;
  const asked = steps.map((line) => line.replace(/ => .*/, ''));
  expect(await play(named ?? resource(list, made, item, at), asked)).toEqual(steps);
});
