import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTypes, copyProject, removeCopy } from '../../../support/check-types';
import { printDocument } from './small-document';

const EVERYTHING = `
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
    put:
      tags: [odd things]
      operationId: put-thing
      security: [{ key: [] }]
      parameters:
        - { name: X-Trace, in: header, schema: { type: array, items: { type: string } } }
        - { name: mode, in: query, x-comma-separated: true, schema: { type: string, enum: [a, "it's"], default: a } }
      requestBody:
        x-identifier: id
        content:
          application/json: { schema: { $ref: '#/components/schemas/Thing' } }
          application/octet-stream: { schema: { type: string, format: binary } }
      responses:
        '200':
          description: OK
          headers:
            X-Total: { required: true, schema: { type: integer, format: int64 } }
            X-Flags: { schema: { type: array, items: { type: boolean } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        2XX: { description: Done }
        '302': { description: Elsewhere, headers: { Location: { required: true, schema: { type: string } } } }
        '404': { description: Gone }
        '409':
          description: Taken
          content: { application/problem+json: { schema: { $ref: '#/components/schemas/Map' } } }
    delete:
      operationId: drop
      responses: { default: { description: Dropped } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: key } }
  schemas:
    import: { type: object, properties: { of: { $ref: '#/components/schemas/keyof' } } }
    keyof: { oneOf: [{ $ref: '#/components/schemas/import' }, { type: string }] }
    Thing:
      type: object
      description: Ends a comment */ here
      required: [secret, maker]
      properties:
        id: { type: integer, format: int64 }
        secret: { type: string, writeOnly: true }
        maker: { type: string, readOnly: true }
        'odd key': { type: string, nullable: true, enum: ['a\\b', null] }
        next: { $ref: '#/components/schemas/Thing' }
        gone: { $ref: '#/components/schemas/Gone' }
        either: { oneOf: [{ $ref: '#/components/schemas/Map' }, { type: array, items: { type: number } }] }
    Map:
      type: object
      required: [total]
      properties: { total: { type: integer }, note: { type: string } }
      additionalProperties: { $ref: '#/components/schemas/Tree' }
    Tree: { type: object, nullable: true, additionalProperties: { $ref: '#/components/schemas/Tree' } }
    More: { allOf: [{ $ref: '#/components/schemas/Thing' }, { properties: { extra: { type: boolean } } }], required: [id] }
    Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] }
    my-string: { type: string }
    string: { type: array, items: { $ref: '#/components/schemas/my-string' } }
`;

const HANDLERS = `
import type { DefaultOperations, More, OddThingsOperations, Operations, Schemas } from './types';
import type { Handlers } from '../src/engine/operation/handler';

export const thingHandlers: Handlers<OddThingsOperations> = {
  async 'put-thing'({ path, query, header, body, principal, fail }) {
    if (path.id < 0n || header['X-Trace']?.length === 0) throw fail(404);
    if (body instanceof Uint8Array) return { status: 202, headers: { 'Set-Cookie': ['a=b', 'c=d'] } };
    if (body.either instanceof Array) return { status: 302, headers: { Location: '/things' } };
    if (principal.subject === '') throw fail(409, { body: { total: 1, note: 'taken' } });
    const given: bigint = body.id;
    return {
      status: 200,
      body: { ...body, next: undefined, id: given, maker: principal.subject, note: query.mode.join() },
      headers: { 'X-Total': given, 'X-Flags': [true], Via: '1.1 proxy' },
    };
  },
};

export const dropHandlers: Handlers<DefaultOperations> = {
  drop: () => ({ status: 200 }),
};

export const ids: readonly (keyof Operations)[] = ['put-thing', 'drop'];
export const idOf = (more: More): bigint => more.id;
export const storedOf = ({ maker, secret }: Schemas['Thing']): string => maker + secret;
`;

/** The compiler says that an error was expected in vain where one of these lines has none. */
const WRONG = `
import type { DefaultOperations, OddThingsOperations } from './types';
import type { Handlers } from '../src/engine/operation/handler';

type PutThing = Handlers<OddThingsOperations>['put-thing'];
declare const body: { maker: string };
const headers = { 'X-Total': 1n };

// @ts-expect-error An undeclared failure
export const failing: PutThing = ({ fail }) => { throw fail(405); };
// @ts-expect-error Another status
export const other: PutThing = () => ({ status: 303 });
// @ts-expect-error A redirect without its target
export const moved: PutThing = () => ({ status: 302 });
// @ts-expect-error A failure with another body
export const taken: PutThing = ({ fail }) => { throw fail(409, { body: {} }); };
// @ts-expect-error A change of what came in
export const changed: PutThing = ({ query }) => { query.mode.pop(); return good({} as never); };
// @ts-expect-error A missing required header
export const headless: PutThing = () => ({ status: 200, body, headers: {} });
// @ts-expect-error A missing property of the response
export const bare: PutThing = () => ({ status: 200, body: {}, headers });
export const good: PutThing = () => ({ status: 200, body, headers });
// @ts-expect-error A property that never comes in
export const makerOf: PutThing = (given) => ({ status: 200, body: given.body.maker, headers });
// @ts-expect-error A missing handler
export const none: Handlers<DefaultOperations> = {};
`;

describe('generated types', () => {
  let folder = '';

  beforeAll(() => {
    folder = copyProject(['src/base', 'src/model', 'src/schema', 'src/document', 'src/engine']);
    mkdirSync(join(folder, 'handlers'));
    writeFileSync(join(folder, 'handlers/types.ts'), printDocument(EVERYTHING));
  });

  afterAll(() => removeCopy(folder));

  test('compile, and handlers against them; wrong handlers do not', () => {
    writeFileSync(join(folder, 'handlers/thing.ts'), HANDLERS);
    writeFileSync(join(folder, 'handlers/wrong.ts'), WRONG);
    expect(checkTypes(folder, ['handlers'])).toEqual([]);
  });
});
