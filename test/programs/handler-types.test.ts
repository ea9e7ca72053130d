/** The responses that the compiler allows a handler. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTypes, copyProject, engineParts, removeCopy } from '../support/check-types';
import { casesOf, rowsOf } from '../support/text-cases';

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

/** Responses of handlers with their types, and statements. */
const groups = casesOf(join(__dirname, 'handler-types.cases.txt')).map(
  ([group, lines]) => [group, rowsOf(lines)] as const,
);

/** The line of a case in the module that is compiled. */
const lineOf = (row: readonly string[], index: number): string => {
  const [text = '', type, response] = row;
  return type === undefined
    ? `${text};`
    : `export const case${index}: ${type} = () => ({ ${response} });`;
};

const all = groups.flatMap(([, rows]) => rows);
const lines = all.map(lineOf);

let folder = '';
let complaints: readonly string[] = [];

beforeAll(() => {
  folder = copyProject(engineParts);
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

describe.each(groups)('a handler %s', (group, rows) => {
  test.each(rows.map((row) => [row[0], all.indexOf(row)] as const))('%s', (_, index) => {
    expect(complaintsAt(index).length > 0).toBe(group.startsWith('may not'));
  });
});
