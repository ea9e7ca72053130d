/** A document with any value at any place loads, or one fault says why not; nothing else is thrown. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rootFolder } from '../../../../scripts/root-folder';
import { pointerTo } from '../../../../src/base/json-pointer';
import { UnreadableDocument } from '../../../../src/document/source/source-text';
import { parseApiDocument } from '../../../../src/engine/document/api-document';

const text = JSON.stringify(parse(readFileSync(join(rootFolder, 'specs/ads.yaml'), 'utf8')));

/** A place of the document: the map or list, and the key in it. */
interface Spot {
  readonly holder: object;
  readonly key: string;
  readonly pointer: string;
}

const spotsIn = (value: unknown, pointer = ''): Spot[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => {
        const at = pointerTo(pointer, key);
        return [{ holder: value, key, pointer: at }, ...spotsIn(item, at)];
      })
    : [];

/** Returns `good` where the document loads with a good report, or is refused by a fault with its place. */
const outcomeOf = (given: string): unknown => {
  try {
    const { diagnostics } = parseApiDocument('specs/ads.yaml', given);
    return diagnostics.every(({ line, message }) => line > 0 && message.endsWith('.'))
      ? 'good'
      : diagnostics;
  } catch (error) {
    return error instanceof UnreadableDocument ? 'good' : error;
  }
};

// One in forty-seven keeps the test short; the values still meet every kind of place.
const every = 47;

test.each<[title: string, value: unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['a text', 'x'],
  ['a list', [null]],
  ['a map', { a: null }],
  ['a reference', { $ref: '#/components/schemas/Ad' }],
  ['a reference to nothing', { $ref: '#/a/b' }],
  ['a reference to everything', { $ref: '#' }],
])('D13 %s in any place', (_title, value) => {
  const count = spotsIn(JSON.parse(text)).length;
  for (let index = 0; index < count; index += every) {
    const definition: unknown = JSON.parse(text);
    const spot = spotsIn(definition)[index];
    if (spot !== undefined) Reflect.set(spot.holder, spot.key, value);
    expect([spot?.pointer, outcomeOf(JSON.stringify(definition))]).toEqual([spot?.pointer, 'good']);
  }
});
