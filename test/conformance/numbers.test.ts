/** Numbers of a document at their exact value, whatever their size; chapter "Schema and document", D16. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadApiDocument } from '../../src/engine/document/api-document';
import { documentResponses } from '../../src/engine/operation/service';
import { serveDocument } from '../support/serve-document';
import { ask } from './ask';

/** Spellings of numbers in documents and in JSON. */
const numbers: readonly (readonly [written: string, json: string])[] = [
  ['9007199254740993', '9007199254740993'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['100000000000000000000000000000001', '100000000000000000000000000000001'],
  ['9.007199254740993e15', '9007199254740993'],
  ['1e23', '100000000000000000000000'],
  ['1e400', '1e400'],
  ['-1.50E+400', '-15e399'],
  ['1e-400', '1e-400'],
  ['0.1234567890123456789012345', '1234567890123456789012345e-25'],
  ['0.1', '0.1'],
  ['1.50', '1.5'],
  ['-0', '0'],
  ['0e5', '0'],
  ['1E3', '1000'],
];

const documentOf = (number: string): string => `{
  "openapi": "3.0.3",
  "info": { "title": "Numbers", "version": "1", "x-list": [1, ${number}] },
  "paths": {},
  "components": { "schemas": { "A": { "type": "number", "example": ${number} } } }
}`;

const jsonOf = (number: string): string =>
  JSON.stringify(JSON.parse(documentOf('"?"'))).replaceAll('"?"', number);

describe('D16 a number of a document is served back exactly', () => {
  test.each(numbers)('D16 %s', async (written, json) => {
    const text = documentOf(written);
    const { url } = await serveDocument({ document: text });
    expect((await ask(url, '/openapi.json')).body).toBe(jsonOf(json));
    expect((await ask(url, '/openapi.yaml')).body).toBe(text);
  });

  test.each([
    ['+1.5', '1.5'],
    ['.5', '0.5'],
    ['0x20000000000001', '9007199254740993'],
    ['1.e400', '1e400'],
  ])('D16 %s, as YAML alone writes it', async (written, json) => {
    const { url } = await serveDocument({ document: documentOf(written) });
    expect((await ask(url, '/openapi.json')).body).toBe(jsonOf(json));
  });

  test('D16 by an alias and a merge key', async () => {
    const anchors = 'x-a: &a 1e400\nx-b: &b { c: *a }\nx-d: { <<: *b }';
    const { url } = await serveDocument({
      document: `openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\n${anchors}`,
    });
    expect((await ask(url, '/openapi.json')).body).toContain(
      '"x-a":1e400,"x-b":{"c":1e400},"x-d":{"c":1e400}',
    );
  });

  const folder = mkdtempSync(join(tmpdir(), 'numbers-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('D16 from another file', async () => {
    const example = ['9007199254740993', '1e400', '0.1234567890123456789012345'];
    writeFileSync(join(folder, 'part.yaml'), `A: { example: [${example}] }`);
    writeFileSync(
      join(folder, 'root.yaml'),
      "openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { $ref: 'part.yaml#/A' } } }",
    );
    const document = await loadApiDocument(join(folder, 'root.yaml'));
    const bodyAt = async (path: string) =>
      String((await documentResponses(document)('GET', path))?.body);
    expect(await bodyAt('/openapi.json')).toContain(
      '"example":[9007199254740993,1e400,1234567890123456789012345e-25]',
    );
    const written = /example:\s+- (\S+)\s+- (\S+)\s+- (\S+)/.exec(await bodyAt('/openapi.yaml'));
    expect(written?.slice(1)).toEqual([example[0], '1e400', '1234567890123456789012345e-25']);
    expect(parse(await bodyAt('/openapi.yaml'))).toMatchObject({ openapi: '3.0.3' });
  });
});
