/** What the loader reports of faulty references, security, paths and parameters: how grave it is, and where it stands. */

import { describe, expect, test } from '@jest/globals';
import { describeDiagnostic } from '../../src/engine/document/diagnostics/diagnostic';
import { expectProblems, load, ok, type ProblemCase } from './expect-problems';

const schemes = `components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    auth: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.test', scopes: {read: Read}}}}
`;
const secured = (requirement: string): string =>
  `${schemes}paths:\n  /a:\n    get:\n      security:\n        - ${requirement}\n      ${ok}\n`;

describe('references', () => {
  const nothing = /^The reference #\/components\/schemas\/Gone cannot be resolved/;
  const gone = `{$ref: '#/components/schemas/Gone'}`;
  test.each<ProblemCase>([
    [
      'a dangling one that no operation needs is a warning',
      `paths: {}\ncomponents:\n  schemas:\n    Pet:\n      properties:\n        kind: ${gone}\n`,
      ['warning', '/components/schemas/Pet/properties/kind/$ref', 8, 22, nothing],
    ],
    [
      'a dangling one that an operation needs takes that operation out of service',
      `paths:\n  /a:\n    get:\n      operationId: getA\n      responses:\n        default: ${gone}\n`,
      ['warning', '/paths/~1a/get/responses/default/$ref', 8, 25, nothing],
      [
        'error',
        '/paths/~1a/get',
        6,
        7,
        /^The operation getA is not served until this is put right: The reference/,
      ],
    ],
    [
      'a property called value or default is a schema like any other',
      `paths: {}\ncomponents: {schemas: {A: {properties: {value: ${gone}, default: ${gone}}}}}\n`,
      ['warning', '/components/schemas/A/properties/value/$ref', 4, 55, nothing],
      ['warning', '/components/schemas/A/properties/default/$ref', 4, 101, nothing],
    ],
    [
      'one into another file',
      `paths: {}\ncomponents: {schemas: {A: {$ref: 'other.yaml#/B'}}}\n`,
      ['warning', '/components/schemas/A/$ref', 4, 34, /it leaves the document/],
    ],
    [
      'a circle of references',
      `paths: {}\ncomponents:\n  schemas:\n    A: {$ref: '#/components/schemas/A'}\n`,
      ['warning', '/components/schemas/A/$ref', 6, 15, /it leads in a circle/],
    ],
    [
      'examples are data',
      `paths: {}\ncomponents: {schemas: {A: {example: ${gone}, default: ${gone}, enum: [${gone}]}}}\n`,
    ],
    [
      'siblings of a reference are ignored',
      `paths: {}\ncomponents: {schemas: {A: {type: string}, B: {$ref: '#/components/schemas/A', items: ${gone}}}}\n`,
    ],
  ])('D10 %s', expectProblems);
});

describe('security', () => {
  test.each<ProblemCase>([
    ['S05 a key without scopes', secured('{key: []}')],
    [
      'S05 scopes on an API key',
      secured('{key: [read]}'),
      [
        'warning',
        '/paths/~1a/get/security/0/key',
        11,
        17,
        /is of type apiKey, which has no scopes/,
      ],
    ],
    [
      'S06 an undeclared scheme',
      secured('{other: []}'),
      ['error', '/paths/~1a/get/security/0/other', 11, 19, /^The security scheme other is not/],
    ],
    [
      'S06 an undeclared scheme beside a declared one',
      secured('{key: [], other: []}'),
      ['error', '/paths/~1a/get/security/0/other', 11, 28, /^The security scheme other is not/],
    ],
    ['S07 a declared scope', secured('{auth: [read]}')],
    [
      'S07 an undeclared scope',
      secured('{auth: [read, write]}'),
      [
        'warning',
        '/paths/~1a/get/security/0/auth',
        11,
        18,
        /does not declare the scopes write, which/,
      ],
    ],
    [
      'S06 a requirement of the whole document',
      `${schemes}security: [{other: []}]\npaths: {/a: {get: {${ok}}}}\n`,
      ['error', '/security/0/other', 7, 20, /^The security scheme other is not/],
    ],
  ])('%s', expectProblems);
});

describe('paths', () => {
  const parameter = (name: string): string =>
    `[{name: ${name}, in: path, required: true, schema: {type: string}}]`;
  test.each<ProblemCase>([
    ['P12 a match', `paths: {'/a/{id}': {get: {parameters: ${parameter('id')}, ${ok}}}}\n`],
    [
      'P12 a name of the path item',
      `paths: {'/a/{id}': {parameters: ${parameter('id')}, get: {${ok}}}}\n`,
    ],
    [
      'P12 a template name without parameter',
      `paths:\n  /a/{id}:\n    get:\n      ${ok}\n`,
      ['error', '/paths/~1a~1{id}/get', 6, 7, /^The template names {id}, but no path parameter/],
    ],
    [
      'P12 a parameter without template name',
      `paths:\n  /a:\n    get:\n      parameters: ${parameter('id')}\n      ${ok}\n`,
      [
        'error',
        '/paths/~1a/get',
        6,
        7,
        /^The path parameter id does not stand in the template, and is left out/,
      ],
    ],
    [
      'D11 identical templates',
      `paths:\n  /a/{id}:\n    get: {parameters: ${parameter('id')}, ${ok}}\n  /a/{name}:\n    put: {parameters: ${parameter('name')}, ${ok}}\n`,
      ['error', '/paths/~1a~1{name}', 7, 5, /^The template matches the same paths as \/a\/{id}/],
    ],
    ['D11 a fixed path beside a template', `paths: {/a/b: {get: {${ok}}}, /a: {get: {${ok}}}}\n`],
    [
      'D13 a repeated operationId',
      `paths:\n  /a:\n    get: {operationId: one, ${ok}}\n    put: {operationId: one, ${ok}}\n`,
      ['error', '/paths/~1a/put/operationId', 6, 24, /^The operationId one stands more than once/],
    ],
    [
      'D13 operationIds differ by case',
      `paths:\n  /a:\n    get: {operationId: one, ${ok}}\n    put: {operationId: One, ${ok}}\n`,
    ],
    [
      'P09 explode where the style does not define it',
      `paths:\n  /a:\n    get:\n      parameters:\n        - {name: p, in: query, style: pipeDelimited, explode: true, schema: {type: array, items: {}}}\n      ${ok}\n`,
      ['warning', '/paths/~1a/get/parameters/0', 7, 11, /pipeDelimited of parameter p is not/],
    ],
    [
      'P09 a parameter of the path item, by reference',
      `paths:\n  /a:\n    parameters:\n      - {$ref: '#/components/parameters/p'}\n    get: {${ok}}\ncomponents:\n  parameters:\n    p: {name: p, in: query, style: matrix, schema: {type: string}}\n`,
      [
        'warning',
        '/components/parameters/p',
        10,
        8,
        /The style matrix of parameter p is not defined/,
      ],
    ],
    [
      'P09 a place that does not exist',
      `paths:\n  /a:\n    get:\n      operationId: getA\n      parameters: [{name: p, in: body, schema: {}}]\n      ${ok}\n`,
      [
        'error',
        '/paths/~1a/get',
        6,
        7,
        /^The operation getA is not served until this is put right: The parameter p is in body/,
      ],
      ['error', '/paths/~1a/get/parameters/0/in', 7, 34, /^No parameter can be in body. Describe/],
    ],
  ])('%s', expectProblems);
});

test('D13 a finding reads as one line with its place', () => {
  const [problem] = load(
    `paths: {}\ncomponents: {schemas: {A: {$ref: '#/nowhere'}}}\n`,
  ).diagnostics;
  expect(problem && describeDiagnostic(problem)).toBe(
    'specs/test.yaml:4:34 warning: The reference #/nowhere cannot be resolved: the document has nothing there. ' +
      'Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/$ref)',
  );
});
