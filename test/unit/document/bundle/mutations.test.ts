/** A document with any value at any place loads, or one fault says why not; nothing else is thrown. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rootFolder } from '../../../../scripts/root-folder';
import { pointerTo } from '../../../../src/base/json-pointer';
import { UnreadableDocument } from '../../../../src/document/source/source-text';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'mutations.cases.txt');

const textOf = (yaml: string): string => JSON.stringify(parse(yaml));

/** The documents, and one in how many of their places is changed: the values still meet every kind of place. */
const documents = [
  [textOf(readFileSync(join(rootFolder, 'specs/ads.yaml'), 'utf8')), 47],
  [textOf(readFileSync(join(__dirname, 'mutations.yaml'), 'utf8')), 3],
  [
    textOf(`
openapi: 3.2.0
$self: https://a.test/api
info: {title: T, version: '1'}
servers: [{url: /a, name: a}]
tags: [{name: a, parent: b, kind: nav}, {name: b, summary: B}]
paths:
  /a:
    query:
      parameters: [{name: p, in: query, content: {application/json: {$ref: '#/components/mediaTypes/M'}}}]
      requestBody: {content: {multipart/mixed: {itemSchema: {}, prefixEncoding: [{headers: {H: {schema: {}}}}], itemEncoding: {encoding: {a: {}}}}}}
      responses: {'200': {summary: A, headers: {H: {content: {text/plain: {$ref: 'api#/components/mediaTypes/M'}}}}, content: {application/jsonl: {$ref: '#/components/mediaTypes/N'}}}}
    additionalOperations: {COPY: {responses: {'200': {}}}}
components:
  mediaTypes: {M: {$ref: '#/components/mediaTypes/N'}, N: {itemSchema: {$ref: '#/components/schemas/Ad'}, examples: {e: {dataValue: [1], serializedValue: '1'}}}}
  securitySchemes: {o: {type: oauth2, deprecated: true, oauth2MetadataUrl: /m, flows: {deviceAuthorization: {deviceAuthorizationUrl: /d, tokenUrl: /t, scopes: {}}}}}
  schemas: {Ad: {$id: ad, oneOf: [{$ref: b}], discriminator: {propertyName: k, defaultMapping: ./b}, xml: {nodeType: cdata}}, B: {$id: b}}
`),
    5,
  ],
] as const;

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

test.each(valuesOf<[title: string, value: unknown]>(cases, 'values in any place'))(
  'D13 %s in any place',
  (_title, value) => {
    for (const [text, every] of documents) {
      const count = spotsIn(JSON.parse(text)).length;
      for (let index = 0; index < count; index += every) {
        const definition: unknown = JSON.parse(text);
        const spot = spotsIn(definition)[index];
        if (spot !== undefined) Reflect.set(spot.holder, spot.key, value);
        const outcome = outcomeOf(JSON.stringify(definition));
        expect([spot?.pointer, outcome]).toEqual([spot?.pointer, 'good']);
      }
    }
  },
);
