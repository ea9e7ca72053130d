/**
 * Documents of OpenAPI 3.1 and 3.2 by which the OpenAPI Initiative tests its own schemas (openapi-3.1/, openapi-3.2/, Apache
 * License 2.0): those under pass/ are free of errors, each under fail/ is reported by the rule that it breaks.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { RuleName } from '../../src/document/diagnostics/diagnostic';
import { parseApiDocument } from '../../src/engine/document/api-document';

const folder = join(__dirname, 'openapi-3.1');
const newer = join(__dirname, 'openapi-3.2', 'pass');

const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

const rulesOf = (
  file: string,
  severities: readonly string[],
  text = textOf(file),
): readonly RuleName[] => {
  const { diagnostics } = parseApiDocument(file, text);
  return diagnostics
    .filter(({ severity }) => severities.includes(severity))
    .map(({ rule }) => rule);
};

/** Errors that the schema of the specification cannot see. */
const faulty: Readonly<Record<string, readonly RuleName[]>> = {
  // A part of a document: its parameter is called otherwise than in the path, and its security scheme is missing.
  'operation-object-example.yaml': ['security', 'path-parameter', 'path-parameter'],
  // A path parameter without `required: true`.
  'style-defaults.yaml': ['parameter'],
};

test.each(readdirSync(join(folder, 'pass')))('V24 V28 %s is free of errors', (file) => {
  expect(rulesOf(`pass/${file}`, ['error'])).toEqual(faulty[file] ?? []);
});

test.each(['minimal_comp.yaml', 'minimal_hooks.yaml'])(
  'V23 %s is complete without paths',
  (file) => {
    const text = textOf(`pass/${file}`);
    expect(rulesOf(file, ['error', 'warning'], text)).toEqual([]);
    const without = text.replace(/^(?:components|webhooks):[\s\S]*/m, 'paths: {}\n');
    expect(rulesOf(file, ['error', 'warning'], without)).toEqual(['nothing-served']);
  },
);

describe('OpenAPI 3.2', () => {
  const own = readdirSync(newer);
  const both = readdirSync(join(folder, 'pass')).filter((file) => !own.includes(file));

  test.each(own)('%s is free of errors', (file) => {
    const text = readFileSync(join(newer, file), 'utf8');
    expect(rulesOf(file, ['error'], text)).toEqual([]);
  });

  test.each(both)('%s, of 3.1, is free of errors as well', (file) => {
    const text = textOf(`pass/${file}`).replace(/^openapi: .*/m, 'openapi: 3.2.0');
    expect(rulesOf(file, ['error'], text)).toEqual(faulty[file] ?? []);
  });
});

describe('a document that breaks a rule', () => {
  const broken: Readonly<Record<string, RuleName>> = {
    'example-examples.yaml': 'exclusive-fields',
    'header-object-allowReserved.yaml': 'unknown-field',
    'invalid_schema_types.yaml': 'field-kind',
    'link-object-no-body.yaml': 'unknown-field',
    'no_containers.yaml': 'required-field',
    'parameter-object-cookie-form-allowReserved.yaml': 'parameter-style',
    'parameter-object-header-allowReserved.yaml': 'parameter-style',
    'parameter-object-path-allowReserved.yaml': 'parameter-style',
    'server_enum_empty.yaml': 'field-kind',
    'servers.yaml': 'field-kind',
    'unknown_container.yaml': 'unknown-field',
  };

  test('each file has its rule', () => {
    expect(readdirSync(join(folder, 'fail')).sort()).toEqual(Object.keys(broken).sort());
  });

  test.each(Object.entries(broken))('V23 V27 %s is reported by the rule %s', (file, rule) => {
    expect(rulesOf(`fail/${file}`, ['error', 'warning'])).toContain(rule);
  });
});
