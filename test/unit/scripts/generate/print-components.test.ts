import { describe, expect, test } from '@jest/globals';
import { printComponents, printSchemas } from '../../../../scripts/generate/print-components';
import type { Schema } from '../../../../scripts/generate/schema-source';
import { namedSchemas } from './named-schemas';

type Components = Readonly<Record<string, Schema>>;

describe('printComponents', () => {
  test.each<readonly [title: string, given: Components, want: readonly string[]]>([
    [
      'an object is an interface',
      { Tag: { type: 'object', description: 'A word', properties: { name: { type: 'string' } } } },
      ['/** A word */\nexport interface Tag {\n  name?: string | undefined;\n}'],
    ],
    [
      'anything else is an alias',
      { Status: { type: 'string', enum: ['a', 'b'] }, Pets: { type: 'array', items: {} } },
      ["export type Status = 'a' | 'b';", 'export type Pets = unknown[];'],
    ],
    [
      'an object that may be null is an alias',
      { Tag: { type: 'object', nullable: true, properties: { a: { type: 'string' } } } },
      ['export type Tag = { a?: string | undefined } | null;'],
    ],
    [
      'a reference is an alias of its target',
      { A: { $ref: '#/components/schemas/B' }, B: { type: 'string' } },
      ['export type A = B;', 'export type B = string;'],
    ],
    [
      'a name that is no identifier is changed where it is used too',
      {
        'my-tag': { type: 'string' },
        Tags: { type: 'array', items: { $ref: '#/components/schemas/my-tag' } },
      },
      ['export type my_tag = string;', 'export type Tags = my_tag[];'],
    ],
    [
      'D09 an object that holds its own kind',
      { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
      ['export interface Node {\n  next?: Node | undefined;\n}'],
    ],
    [
      'D09 a map of its own kind',
      {
        Tree: {
          nullable: true,
          type: 'object',
          additionalProperties: { $ref: '#/components/schemas/Tree' },
        },
      },
      ['export type Tree = { [name: string]: Tree } | null;'],
    ],
    [
      'D09 names that only stand for each other',
      {
        A: { $ref: '#/components/schemas/B' },
        B: { allOf: [{ $ref: '#/components/schemas/A' }] },
      },
      [
        'export type A = unknown /* refers to nothing but itself */;',
        'export type B = unknown /* refers to nothing but itself */;',
      ],
    ],
    [
      'D03 a type for each direction',
      {
        User: {
          type: 'object',
          description: 'A user',
          required: ['id', 'password'],
          properties: {
            id: { type: 'integer', readOnly: true },
            password: { type: 'string', writeOnly: true },
          },
        },
        Users: { type: 'array', items: { $ref: '#/components/schemas/User' } },
      },
      [
        '/**\n * A user\n *\n * As requests carry it.\n */\nexport interface User {\n  password: string;\n}',
        '/**\n * A user\n *\n * As responses carry it.\n */\nexport interface UserResponse {\n  id: number;\n}',
        '/** As requests carry it. */\nexport type Users = User[];',
        '/** As responses carry it. */\nexport type UsersResponse = UserResponse[];',
      ],
    ],
    [
      'D03 the response type keeps off a component of that name',
      {
        User: { type: 'object', properties: { p: { type: 'string', writeOnly: true } } },
        UserResponse: { type: 'string' },
      },
      [
        '/** As requests carry it. */\nexport interface User {\n  p?: string | undefined;\n}',
        '/** As responses carry it. */\nexport interface UserResponse_ {}',
        'export type UserResponse = string;',
      ],
    ],
  ])('%s', (_, given, want) => {
    expect(printComponents(namedSchemas(given))).toEqual(want);
  });
});

describe('printSchemas', () => {
  test.each<readonly [title: string, given: Components, members: readonly string[]]>([
    ['no components', {}, []],
    ['a component of one type', { Tag: { type: 'string' } }, ['Tag: Tag;']],
    ['a name that is no identifier', { 'my-tag': { type: 'string' } }, ["'my-tag': my_tag;"]],
    ['a component called Schemas', { Schemas: { type: 'string' } }, ['Schemas: Schemas_;']],
    [
      'a component with a type for each direction',
      { User: { type: 'object', properties: { p: { type: 'string', writeOnly: true } } } },
      ['User: User & UserResponse;'],
    ],
  ])('%s', (_, given, members) => {
    const lines = printSchemas(namedSchemas(given)).split('\n').slice(1);
    const block = members.length === 0 ? ['{}'] : ['{', ...members.map((one) => `  ${one}`), '}'];
    expect(lines).toEqual(`export interface Schemas ${block.join('\n')}`.split('\n'));
  });
});
