import { describe, expect, test } from '@jest/globals';
import type { Direction, Schema } from '../../../../../src/engine/schema/shape';
import { refTo, validatorsOf } from './validators-of';

const readOnlyId = { type: 'integer', format: 'int64', readOnly: true };
const secret = { type: 'string', writeOnly: true };
const components = {
  Id: readOnlyId,
  Account: {
    type: 'object',
    required: ['id', 'name', 'password'],
    properties: { id: refTo('Id'), name: { type: 'string' }, password: secret },
  },
  Base: { type: 'object', required: ['id', 'name'] },
  Marks: { properties: { id: readOnlyId } },
} as unknown as Record<string, Schema>;

type Case = [
  title: string,
  schema: object,
  direction: Direction,
  value: unknown,
  want: readonly string[],
];

const account = refTo('Account');
const apart = { allOf: [refTo('Base'), refTo('Marks')] };
const branch = {
  required: ['id'],
  oneOf: [{ properties: { id: readOnlyId } }, { type: 'string' }],
};

describe('D03 required in its direction', () => {
  test.each<Case>([
    ['as a whole everything is required', account, 'storage', {}, ['/id', '/name', '/password']],
    [
      'what a reply drops is not checked',
      account,
      'response',
      { id: 1n, name: '', password: 5 },
      [],
    ],
    [
      'as a whole it is',
      account,
      'storage',
      { id: 'x', name: '', password: 5 },
      ['/password', '/id'],
    ],
    ['the flag and the requirement in members apart', apart, 'request', {}, ['/name']],
    ['the same in a reply', apart, 'response', {}, ['/id', '/name']],
    [
      'a member that declares it otherwise is not checked',
      { allOf: [{ properties: { id: { type: 'string' } } }, refTo('Marks')] },
      'request',
      { id: 5 },
      [],
    ],
    [
      'the flag in a member of the property',
      { required: ['id'], properties: { id: { allOf: [refTo('Id')] } } },
      'request',
      {},
      [],
    ],
    ['the flag in an alternative', branch, 'request', {}, []],
    ['the flag in an alternative, in a reply', branch, 'response', {}, ['/id']],
    [
      'items and maps',
      { items: { additionalProperties: account } },
      'request',
      [{ a: { name: 5 } }],
      ['/0/a/password', '/0/a/name'],
    ],
    [
      'a dropped property is still declared',
      { properties: { id: readOnlyId }, additionalProperties: false },
      'request',
      { id: 5, x: 1 },
      ['/x'],
    ],
    [
      'what is excluded is not relaxed',
      { properties: { id: readOnlyId }, not: { required: ['id'] } },
      'request',
      {},
      [],
    ],
  ])('D03 %s', (_title, schema, direction, value, want) => {
    const faults = validatorsOf(components).validatorOf(schema as Schema, direction)(value);
    expect(faults.map(({ path }) => path)).toEqual(want);
  });

  test('D03 accepts: neither is required, both are checked', () => {
    const accepts = validatorsOf(components).accepts(account);
    expect(accepts({ name: 'x' })).toBe(true);
    expect(accepts({ name: 'x', id: 'x' })).toBe(false);
    expect(accepts({ name: 'x', password: 5 })).toBe(false);
    expect(accepts({})).toBe(false);
  });
});

describe('representation across members', () => {
  const big = 2n ** 60n;
  test.each<[string, object, unknown, readonly string[]]>([
    [
      'the format in one member, the type in another',
      { allOf: [{ type: 'integer' }, { format: 'int64' }] },
      big,
      [],
    ],
    [
      'the format outside, the type in an alternative',
      { type: 'integer', format: 'int64', anyOf: [{ type: 'integer', minimum: 5 }] },
      big,
      [],
    ],
    [
      'its own format stays',
      { type: 'integer', format: 'int64', allOf: [{ type: 'integer', format: 'int32' }] },
      big,
      [''],
    ],
    ['binary', { allOf: [{ type: 'string' }, { format: 'binary' }] }, new Uint8Array(1), []],
    [
      'a part has a format of its own',
      { format: 'int64', items: { type: 'integer' } },
      [big],
      ['/0'],
    ],
  ])('%s', (_title, schema, value, want) => {
    const faults = validatorsOf().validatorOf(schema as Schema, 'request')(value);
    expect(faults.map(({ path }) => path)).toEqual(want);
  });
});
