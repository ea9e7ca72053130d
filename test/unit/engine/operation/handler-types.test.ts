/** What a handler may answer, as the compiler sees it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTypes, copyProject, removeCopy } from '../../../support/check-types';

const DECLARATIONS = `
import type { Pages, SerializedJson } from '../src/engine/media-types/json/json';
import type { Handler, HandlerRequest } from '../src/engine/operation/handler';

interface Toy { id?: bigint | undefined; name: string }
interface Label { name?: string | undefined }
interface Thing { size: number }

export type One = Handler<{ response: { status: 200; body: Toy } | { status: 202 } }>;
export type Either = Handler<{ response: { status: 200; body: Toy | Thing } }>;
export type Many = Handler<{ response: { status: 200; body: readonly Toy[]; headers: { total: number } } }>;
export type Labelled = Handler<{ response: { status: 200; body: Label } }>;
export type Moved = Handler<{ response: { status: 302; headers: { Location: string } } }>;
export type Failing = Handler<{
  response:
    | { status: 200; body: Toy }
    | { status: 404 | 409; body: Thing }
    | { status: 429; body: Thing; headers: { 'Retry-After': number } }
    | { status: '4XX'; body: Label }
    | { status: 503; headers?: { 'Retry-After'?: bigint | undefined } }
    | { status: 'default'; body: bigint };
}>;
export type Given = HandlerRequest<{
  path: { id: bigint };
  query: { tags: readonly string[] };
  body: { readonly toys: ReadonlyArray<{ readonly name: string }> } | undefined;
  principal: 'required';
  response: { status: 200 };
}>;
type Fail = Parameters<Failing>[0]['fail'];

declare const fail: Fail;
declare const given: Given;
declare const toy: Toy;
declare const keptToy: SerializedJson<Toy>;
declare const keptThing: SerializedJson<Thing>;
declare const keptEither: SerializedJson<Toy | Thing>;
declare const toys: Pages<Toy>;
declare const keptToys: AsyncGenerator<SerializedJson<Toy>[]>;
declare const things: Pages<Thing>;
declare const headers: { total: number };
declare const fixed: readonly Toy[];
`;

const thing = 'body: { size: 1 }';
const wait = "headers: { 'Retry-After': 1 }";

const fine: readonly (readonly [string, string, string])[] = [
  ['a value', 'One', 'status: 200, body: toy'],
  ['its kept text', 'One', 'status: 200, body: keptToy'],
  ['no body where none is declared', 'One', 'status: 202'],
  ['a member of a union, kept', 'Either', 'status: 200, body: keptThing'],
  ['a union, kept', 'Either', 'status: 200, body: keptEither'],
  ['a list', 'Many', 'status: 200, body: [toy], headers'],
  ['a listing', 'Many', 'status: 200, body: toys, headers'],
  ['a listing of kept texts', 'Many', 'status: 200, body: keptToys, headers'],
  ['a value that fits another type', 'Labelled', 'status: 200, body: toy'],
  ['a list that must not change', 'Many', 'status: 200, body: fixed, headers'],
  ['a redirect', 'Moved', "status: 302, headers: { Location: '/' }"],
  [
    'headers beyond the declared ones',
    'Moved',
    "status: 302, headers: { Location: '/', Via: ['a'] }",
  ],
  ['a failure with its body', 'Failing', `status: 409, ${thing}`],
  ['a failure with its headers', 'Failing', `status: 429, ${thing}, ${wait}`],
  ['a failure without its optional headers', 'Failing', 'status: 503'],
  ['a status of a range', 'Failing', "status: 418, body: { name: 'a' }"],
  ['a status of the default', 'Failing', 'status: 301, body: 1n'],
  ['an error status of the default', 'Failing', 'status: 500, body: 1n'],
];

const wrong: readonly (readonly [string, string, string])[] = [
  ['a kept text of another type', 'One', 'status: 200, body: keptThing'],
  [
    'a kept text of another type that the value would fit',
    'Labelled',
    'status: 200, body: keptToy',
  ],
  ['a kept text of a wider type', 'One', 'status: 200, body: keptEither'],
  ['a kept text where there is no body', 'One', 'status: 202, body: keptToy'],
  ['a listing where there is no list', 'One', 'status: 200, body: toys'],
  ['a listing of other items', 'Many', 'status: 200, body: things, headers'],
  ['a list of kept texts', 'Many', 'status: 200, body: [keptToy], headers'],
  ['a listing without the declared headers', 'Many', 'status: 200, body: toys'],
  ['what only looks like a kept text', 'One', 'status: 200, body: { ...keptToy, text: 1 }'],
  ['an undeclared status', 'One', 'status: 404'],
  ['an undeclared redirect', 'One', "status: 302, headers: { Location: '/' }"],
  ['a redirect without its target', 'Moved', 'status: 302'],
  ['a redirect to another type', 'Moved', 'status: 302, headers: { Location: 1 }'],
  ['a failure with the body of another', 'Failing', "status: 409, body: { name: 'a' }"],
  ['a failure without its headers', 'Failing', `status: 429, ${thing}`],
  ['the body of a range with an exact status', 'Failing', "status: 404, body: { name: 'a' }"],
  ['the body of the default within a range', 'Failing', 'status: 418, body: 1n'],
  ['a body with a status that has none', 'Failing', 'status: 204, body: 1n'],
  ['an interim status', 'Failing', 'status: 102, body: 1n'],
  ['a number that is no status', 'Failing', 'status: 600, body: 1n'],
];

/** Statements that compile. */
const usable: readonly string[] = [
  'fail(404)',
  'fail(given.path.id ? 404 : 409)',
  'fail(503)',
  `fail(404, { ${thing} })`,
  `fail(429, { ${thing}, ${wait} })`,
  "fail(418, { body: { name: 'a' } })",
  'fail(500, { body: 1n })',
  "fail(503, { headers: { 'Retry-After': 1n, Via: 'a' } })",
  'given.principal.subject',
  'given.body?.toys.map(({ name }) => name)',
];

/** Statements that do not. */
const unusable: readonly string[] = [
  'fail(200)',
  'fail(301, { body: 1n })',
  'fail(418)',
  'fail(500)',
  'fail(429)',
  `fail(429, { ${thing} })`,
  "fail(404, { body: { name: 'a' } })",
  'fail(418, { body: 1n })',
  'given.query.other',
  'given.cookie.other',
  'given.path.id = 1n',
  "given.query.tags.push('a')",
  'given.body!.toys = []',
  "given.body!.toys[0]!.name = 'a'",
  'given.body!.toys.pop()',
];

let folder = '';
let complaints: readonly string[] = [];

/** The lines of the module that is compiled; a case is on the line of its index. */
const lines = [
  ...[...fine, ...wrong].map(
    ([, type, response], index) => `export const case${index}: ${type} = () => ({ ${response} });`,
  ),
  ...[...usable, ...unusable].map((statement) => `${statement};`),
];

beforeAll(() => {
  folder = copyProject(['src/base', 'src/engine']);
  mkdirSync(join(folder, 'handlers'));
  writeFileSync(join(folder, 'handlers/cases.ts'), [...lines, DECLARATIONS].join('\n'));
  complaints = checkTypes(folder, ['handlers']);
});

afterAll(() => removeCopy(folder));

const complaintsAt = (index: number): readonly string[] =>
  complaints.filter((text) => text.startsWith(`handlers/cases.ts(${index + 1},`));

test('nothing else is complained of', () => {
  const known = lines.flatMap((_, index) => complaintsAt(index));
  expect(complaints.filter((text) => /^\S/.test(text) && !known.includes(text))).toEqual([]);
});

describe('a handler', () => {
  test.each(fine.map(([title], index) => [title, index] as const))('may return %s', (_, index) => {
    expect(complaintsAt(index)).toEqual([]);
  });

  test.each(wrong.map(([title], index) => [title, fine.length + index] as const))(
    'may not return %s',
    (_, index) => {
      expect(complaintsAt(index)).not.toEqual([]);
    },
  );

  const statements = fine.length + wrong.length;

  test.each(usable.map((text, index) => [text, statements + index] as const))(
    'may say %s',
    (_, index) => {
      expect(complaintsAt(index)).toEqual([]);
    },
  );

  test.each(unusable.map((text, index) => [text, statements + usable.length + index] as const))(
    'may not say %s',
    (_, index) => {
      expect(complaintsAt(index)).not.toEqual([]);
    },
  );
});
