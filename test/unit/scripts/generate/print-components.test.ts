import { describe, expect, test } from '@jest/globals';
import { printComponents, printSchemas } from '../../../../scripts/generate/print-components';
import type { Schema } from '../../../../scripts/generate/schema-source';
import { namedSchemas } from './named-schemas';

type Components = Readonly<Record<string, Schema>>;

const text: Schema = { type: 'string' };
const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const objectOf = (
  properties: Record<string, Schema>,
  more: { description?: string; nullable?: boolean; required?: string[] } = {},
): Schema => ({ type: 'object', properties, ...more });
const secret = { password: { ...text, writeOnly: true } };

describe('printComponents', () => {
  const user = objectOf(
    { id: { type: 'integer', readOnly: true }, ...secret },
    { description: 'A user', required: ['id', 'password'] },
  );
  const nothing = 'unknown /* refers to nothing but itself */';

  test.each<readonly [title: string, given: Components, want: readonly string[]]>([
    [
      'an object is an interface',
      { Tag: objectOf({ name: text }, { description: 'A word' }) },
      ['/** A word */\nexport interface Tag {\n  readonly name?: string | undefined;\n}'],
    ],
    [
      'anything else is an alias',
      { Status: { ...text, enum: ['a', 'b'] }, Pets: { type: 'array', items: {} } },
      ["export type Status = 'a' | 'b';", 'export type Pets = readonly unknown[];'],
    ],
    [
      'an object that may be null is an alias',
      { Tag: objectOf({ a: text }, { nullable: true }) },
      ['export type Tag = { readonly a?: string | undefined } | null;'],
    ],
    [
      'a reference is an alias of its target',
      { A: to('B'), B: text },
      ['export type A = B;', 'export type B = string;'],
    ],
    [
      'a name that is no identifier is changed where it is used too',
      { 'my-tag': text, Tags: { type: 'array', items: to('my-tag') } },
      ['export type my_tag = string;', 'export type Tags = readonly my_tag[];'],
    ],
    [
      'D09 an object that holds its own kind',
      { Node: objectOf({ next: to('Node') }) },
      ['export interface Node {\n  readonly next?: Node | undefined;\n}'],
    ],
    [
      'D09 a map of its own kind',
      { Tree: { nullable: true, type: 'object', additionalProperties: to('Tree') } },
      ['export type Tree = { readonly [name: string]: Tree } | null;'],
    ],
    [
      'D09 names that only stand for each other',
      { A: to('B'), B: { allOf: [to('A')] } },
      [`export type A = ${nothing};`, `export type B = ${nothing};`],
    ],
    [
      'D03 a type for each direction',
      { User: user, Users: { type: 'array', items: to('User') } },
      [
        '/**\n * A user\n *\n * As requests carry it.\n */\nexport interface User {\n  readonly password: string;\n}',
        '/**\n * A user\n *\n * As responses carry it.\n */\nexport interface UserResponse {\n  readonly id: number;\n}',
        '/** As requests carry it. */\nexport type Users = readonly User[];',
        '/** As responses carry it. */\nexport type UsersResponse = readonly UserResponse[];',
      ],
    ],
    [
      'D03 the response type keeps off a component of that name',
      { User: objectOf(secret), UserResponse: text },
      [
        '/** As requests carry it. */\nexport interface User {\n  readonly password?: string | undefined;\n}',
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
    ['a component of one type', { Tag: text }, ['Tag: Tag;']],
    ['a name that is no identifier', { 'my-tag': text }, ["'my-tag': my_tag;"]],
    ['a component called Schemas', { Schemas: text }, ['Schemas: Schemas_;']],
    ['a type for each direction', { User: objectOf(secret) }, ['User: User & UserResponse;']],
  ])('%s', (_, given, members) => {
    const lines = printSchemas(namedSchemas(given)).split('\n').slice(1);
    const block = members.length === 0 ? ['{}'] : ['{', ...members.map((one) => `  ${one}`), '}'];
    expect(lines).toEqual(`export interface Schemas ${block.join('\n')}`.split('\n'));
  });
});

test('required properties with a default are listed, through lists and references', () => {
  const flag: Schema = { type: 'boolean', default: false };
  const tag = objectOf({ flag, other: flag }, { required: ['flag'] });
  const pet = objectOf({ tags: { type: 'array', items: to('Tag') }, flag }, { required: ['flag'] });
  const schemas = namedSchemas({ Tag: tag, Pet: { allOf: [pet, objectOf({ tag: to('Tag') })] } });
  expect(printSchemas(schemas)).toContain(`
  /** Required properties with a default: demo data may leave them out. */
  $defaults: {
    Tag: 'flag';
    Pet: 'tags.flag' | 'flag' | 'tag.flag';
  };
`);
});
