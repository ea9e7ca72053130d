/** What a handler may answer, as the compiler sees it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTypes, copyProject, removeCopy } from '../../../support/check-types';

const DECLARATIONS = `
import type { Pages } from '../src/engine/media-types/codec/serialized-json';
import type { SerializedJson } from '../src/engine/media-types/codec/serialized-json';
import type { Handler } from '../src/engine/operation/handler';

interface Toy { id?: bigint | undefined; name: string }
interface Label { name?: string | undefined }
interface Thing { size: number }

interface Answers<Response extends { readonly status: number }> {
  path: {}; query: {}; header: {}; cookie: {}; body: undefined; principal: 'optional'; failure: 404; response: Response;
}
export type One = Handler<Answers<{ status: 200; body: Toy } | { status: 202; body?: undefined }>>;
export type Either = Handler<Answers<{ status: 200; body: Toy | Thing }>>;
export type Many = Handler<Answers<{ status: 200; body: Toy[]; headers: { total: number } }>>;
export type Labelled = Handler<Answers<{ status: 200; body: Label }>>;

declare const toy: Toy;
declare const keptToy: SerializedJson<Toy>;
declare const keptThing: SerializedJson<Thing>;
declare const keptEither: SerializedJson<Toy | Thing>;
declare const toys: Pages<Toy>;
declare const keptToys: AsyncGenerator<SerializedJson<Toy>[]>;
declare const things: Pages<Thing>;
declare const headers: { total: number };
`;

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
];

describe('a handler', () => {
  let folder = '';
  let complaints: readonly string[] = [];
  const cases = [...fine, ...wrong];

  beforeAll(() => {
    folder = copyProject(['src/engine']);
    mkdirSync(join(folder, 'handlers'));
    const lines = cases.map(
      ([, type, response], index) =>
        `export const case${index}: ${type} = () => ({ ${response} });`,
    );
    writeFileSync(join(folder, 'handlers/cases.ts'), [...lines, DECLARATIONS].join('\n'));
    complaints = checkTypes(folder, ['handlers']);
  });

  afterAll(() => removeCopy(folder));

  const complaintsOf = (title: string): readonly string[] => {
    const line = cases.findIndex(([one]) => one === title) + 1;
    return complaints.filter((text) => text.startsWith(`handlers/cases.ts(${line},`));
  };

  test('has no other complaint against it', () => {
    expect(complaints.filter((text) => /^\S/.test(text))).toHaveLength(wrong.length);
  });

  test.each(fine)('may answer %s', (title) => {
    expect(complaintsOf(title)).toEqual([]);
  });

  test.each(wrong)('may not answer %s', (title) => {
    expect(complaintsOf(title)).not.toEqual([]);
  });
});
