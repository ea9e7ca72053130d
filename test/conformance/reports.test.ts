/** Reports on faulty documents: severity, position, and each sentence to the letter. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeDiagnostic } from '../../src/document/diagnostics/diagnostic';
import { parseApiDocument } from '../../src/engine/document/api-document';
import { csvCodec } from '../support/csv';
import { casesOf } from '../support/text-cases';

const info = `info: {title: Test, version: '1'}\n`;
const ok = `responses: {'200': {description: Fine}}`;
const served = `paths: {/a: {get: {${ok}}}}`;
const operation = (fields: string): string =>
  `${info}paths:\n  /a:\n    get:\n      operationId: getA\n      ${fields}`;
const schemes = `components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    auth: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.test', scopes: {read: Read}}}}
`;

/** The documents around the parts that cases show. */
const documents: Readonly<Record<string, (part: string) => string>> = {
  whole: (text) => text,
  'bare operation': operation,
  operation: (fields) => operation(`${fields}\n      ${ok}`),
  parameter: (text) => operation(`parameters:\n        - ${text}\n      ${ok}`),
  requirement: (text) =>
    `${info}${schemes}paths:\n  /a:\n    get:\n      security:\n        - ${text}\n      ${ok}`,
  schema: (text) => `${info}${served}\ncomponents:\n  schemas:\n    A: ${text}`,
};

const isFinding = (line: string): boolean => /^\d+:\d+ (error|warning) /.test(line);

/** A part of a document under its name, or what follows `info`; an operation is added where there are no paths. */
const documentOf = (text: string): string => {
  const [, name = '', part = ''] = /^([a-z ]+): (.*)$/s.exec(text) ?? [];
  const around = documents[name];
  if (around !== undefined) return `${around(part)}\n`;
  return /^paths:/m.test(text) ? `${info}${text}\n` : `${info}${text}\n${served}\n`;
};

describe.each(readdirSync(join(__dirname, 'reports')))('%s', (file) => {
  test.each(casesOf(join(__dirname, 'reports', file)))('%s', (_title, lines) => {
    const text = documentOf(lines.filter((line) => !isFinding(line)).join('\n'));
    const [, minor = '0'] = /^openapi-3\.(\d)/.exec(file) ?? [];
    const version = { 0: '3.0.3', 1: '3.1.2', 2: '3.2.0' }[minor];
    const document = text.startsWith('openapi: ') ? text : `openapi: ${version}\n${text}`;
    const { diagnostics } = parseApiDocument('specs/test.yaml', document, {
      codecs: [csvCodec],
    });
    // That nothing is left to serve only sums up the others.
    const found = diagnostics.filter(({ rule }) => rule !== 'nothing-served');
    const findings = found.map(
      ({ line, column, severity, rule, message, pointer }) =>
        `${line}:${column} ${severity} ${rule}: ${message} (${pointer})`,
    );
    expect(findings).toEqual(lines.filter(isFinding));
    expect(new Set(found.map((finding) => finding.file)).size).toBeLessThan(2);
  });
});

test('D13 a finding reads as one line with its place', () => {
  const text = `openapi: 3.0.3\n${info}paths: {}\ncomponents: {schemas: {A: {$ref: '#/nowhere'}}}\n`;
  const [problem] = parseApiDocument('specs/test.yaml', text).diagnostics;
  expect(problem && describeDiagnostic(problem)).toBe(
    'specs/test.yaml:4:34 warning: The reference #/nowhere cannot be resolved: the document has nothing there. ' +
      'Operations that need it are not served. Correct the reference, or add its target. (/components/schemas/A/$ref)',
  );
});
