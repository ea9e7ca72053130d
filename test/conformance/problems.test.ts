/** What the loader reports of faulty references, security, paths and parameters: how grave it is, and where it stands. */

import { describe, expect, test } from '@jest/globals';
import { describeDiagnostic } from '../../src/engine/document/diagnostics/diagnostic';
import { parseApiDocument } from '../../src/engine/document/document';
import { type Case, expectReport, info, ok } from './expect-report';

const reports = (...[title, text, ...lines]: Case): void =>
  expectReport(title, info + text, ...lines);

const schemes = `components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    auth: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.test', scopes: {read: Read}}}}
`;
const secured = (requirement: string): string =>
  `${schemes}paths:\n  /a:\n    get:\n      security:\n        - ${requirement}\n      ${ok}\n`;

describe('references', () => {
  const gone = `{$ref: '#/components/schemas/Gone'}`;
  test.each<Case>([
    [
      'a dangling one that no operation needs is a warning',
      `paths: {}\ncomponents:\n  schemas:\n    Pet:\n      properties:\n        kind: ${gone}\n`,
      '8:22 warning reference: The reference #/components/schemas/Gone cannot be resolved: the document has nothing there. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/Pet/properties/kind/$ref)',
    ],
    [
      'a dangling one that an operation needs takes that operation out of service',
      `paths:\n  /a:\n    get:\n      operationId: getA\n      responses:\n        default: ${gone}\n`,
      '8:25 warning reference: The reference #/components/schemas/Gone cannot be resolved: the document has nothing there. Whatever needs it is not served. Correct the reference, or add what it names. (/paths/~1a/get/responses/default/$ref)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: The reference #/components/schemas/Gone cannot be resolved: the document has nothing there. (/paths/~1a/get)',
    ],
    [
      'a dangling one that several operations need is told once, with what was meant, and they behind it',
      `paths:\n  /a:\n    get: {operationId: a, responses: {default: {$ref: '#/components/responses/Answr'}}}\n    put: {operationId: b, responses: {default: {$ref: '#/components/responses/Answr'}}}\ncomponents: {responses: {Answer: {description: A}}}\n`,
      '5:55 warning reference: The reference #/components/responses/Answr cannot be resolved: the document has nothing there. Did you mean #/components/responses/Answer? Whatever needs it is not served. Correct the reference, or add what it names. (/paths/~1a/get/responses/default/$ref)',
      '5:55 error unserved-operation: 2 operations are not served until this is put right: a, b. (/paths/~1a/get/responses/default/$ref)',
      '6:55 warning reference: The reference #/components/responses/Answr cannot be resolved: the document has nothing there. Did you mean #/components/responses/Answer? Whatever needs it is not served. Correct the reference, or add what it names. (/paths/~1a/put/responses/default/$ref)',
    ],
    [
      'a property called value or default is a schema like any other',
      `paths: {}\ncomponents: {schemas: {A: {properties: {value: ${gone}, default: ${gone}}}}}\n`,
      '4:55 warning reference: The reference #/components/schemas/Gone cannot be resolved: the document has nothing there. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/properties/value/$ref)',
      '4:101 warning reference: The reference #/components/schemas/Gone cannot be resolved: the document has nothing there. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/properties/default/$ref)',
    ],
    [
      'one into another file',
      `paths: {}\ncomponents: {schemas: {A: {$ref: 'other.yaml#/B'}}}\n`,
      '4:34 warning reference: The reference other.yaml#/B cannot be resolved: it leaves the document. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/$ref)',
    ],
    [
      'a circle of references',
      `paths: {}\ncomponents:\n  schemas:\n    A: {$ref: '#/components/schemas/A'}\n`,
      '6:15 warning reference: The reference #/components/schemas/A cannot be resolved: it leads in a circle. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/$ref)',
    ],
    [
      'examples are data',
      `paths: {}\ncomponents: {schemas: {A: {example: ${gone}, default: ${gone}, enum: [${gone}]}}}\n`,
    ],
    [
      'siblings of a reference are ignored',
      `paths: {}\ncomponents: {schemas: {A: {type: string}, B: {$ref: '#/components/schemas/A', items: ${gone}}}}\n`,
    ],
  ])('D10 %s', reports);
});

describe('security', () => {
  test.each<Case>([
    ['S05 a key without scopes', secured('{key: []}')],
    [
      'S05 scopes on an API key',
      secured('{key: [read]}'),
      '11:17 warning security: The scheme key is of type apiKey, which has no scopes. Leave the list empty. (/paths/~1a/get/security/0/key)',
    ],
    [
      'S06 an undeclared scheme',
      secured('{other: []}'),
      '11:19 error security: The security scheme other is not declared, so that nobody can meet this requirement. Declare it under components/securitySchemes. (/paths/~1a/get/security/0/other)',
    ],
    [
      'S06 an undeclared scheme beside a declared one',
      secured('{key: [], other: []}'),
      '11:28 error security: The security scheme other is not declared, so that nobody can meet this requirement. Declare it under components/securitySchemes. (/paths/~1a/get/security/0/other)',
    ],
    ['S07 a declared scope', secured('{auth: [read]}')],
    [
      'S07 an undeclared scope',
      secured('{auth: [read, write]}'),
      '11:18 warning security: The scheme auth does not declare the scopes write, which are required all the same. Add them to its flows. (/paths/~1a/get/security/0/auth)',
    ],
    [
      'S06 a requirement of the whole document',
      `${schemes}security: [{other: []}]\npaths: {/a: {get: {${ok}}}}\n`,
      '7:20 error security: The security scheme other is not declared, so that nobody can meet this requirement. Declare it under components/securitySchemes. (/security/0/other)',
    ],
  ])('%s', reports);
});

describe('paths', () => {
  const parameter = (name: string): string =>
    `[{name: ${name}, in: path, required: true, schema: {type: string}}]`;
  test.each<Case>([
    ['P12 a match', `paths: {'/a/{id}': {get: {parameters: ${parameter('id')}, ${ok}}}}\n`],
    [
      'P12 a name of the path item',
      `paths: {'/a/{id}': {parameters: ${parameter('id')}, get: {${ok}}}}\n`,
    ],
    [
      'P12 a template name without parameter',
      `paths:\n  /a/{id}:\n    get:\n      ${ok}\n`,
      '6:7 error path-parameter: The template names {id}, but no path parameter of that name is declared. Declare it. (/paths/~1a~1{id}/get)',
    ],
    [
      'P12 a parameter without template name',
      `paths:\n  /a:\n    get:\n      parameters: ${parameter('id')}\n      ${ok}\n`,
      '6:7 error path-parameter: The path parameter id does not stand in the template, and is left out. Write {id} into the path, or remove the parameter. (/paths/~1a/get)',
    ],
    [
      'D11 identical templates',
      `paths:\n  /a/{id}:\n    get: {parameters: ${parameter('id')}, ${ok}}\n  /a/{name}:\n    put: {parameters: ${parameter('name')}, ${ok}}\n`,
      '7:5 error identical-paths: The template matches the same paths as /a/{id}, and is not served. Move its operations there. (/paths/~1a~1{name})',
    ],
    ['D11 a fixed path beside a template', `paths: {/a/b: {get: {${ok}}}, /a: {get: {${ok}}}}\n`],
    [
      'D13 a repeated operationId',
      `paths:\n  /a:\n    get: {operationId: one, ${ok}}\n    put: {operationId: one, ${ok}}\n`,
      '6:24 error operation-id: The operationId one stands more than once, and only its first operation is served. Rename this one. (/paths/~1a/put/operationId)',
    ],
    [
      'D13 operationIds differ by case',
      `paths:\n  /a:\n    get: {operationId: one, ${ok}}\n    put: {operationId: One, ${ok}}\n`,
    ],
    [
      'P09 explode where the style does not define it',
      `paths:\n  /a:\n    get:\n      parameters:\n        - {name: p, in: query, style: pipeDelimited, explode: true, schema: {type: array, items: {}}}\n      ${ok}\n`,
      '7:11 warning parameter-style: The style pipeDelimited of parameter p is not defined with explode: true. Leave it out, or choose what the specification defines there. (/paths/~1a/get/parameters/0)',
    ],
    [
      'P09 a parameter of the path item, by reference',
      `paths:\n  /a:\n    parameters:\n      - {$ref: '#/components/parameters/p'}\n    get: {${ok}}\ncomponents:\n  parameters:\n    p: {name: p, in: query, style: matrix, schema: {type: string}}\n`,
      '10:8 warning parameter-style: The style matrix of parameter p is not defined in query. Leave it out, or choose what the specification defines there. (/components/parameters/p)',
    ],
    [
      'P09 a place that does not exist',
      `paths:\n  /a:\n    get:\n      operationId: getA\n      parameters: [{name: p, in: body, schema: {}}]\n      ${ok}\n`,
      '7:34 error parameter: No parameter can be in body. Describe it by the `requestBody` of the operation. (/paths/~1a/get/parameters/0/in)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: The parameter p is in body, where none can be. (/paths/~1a/get)',
    ],
  ])('%s', reports);
});

test('D13 a finding reads as one line with its place', () => {
  const text = `openapi: 3.0.3\n${info}paths: {}\ncomponents: {schemas: {A: {$ref: '#/nowhere'}}}\n`;
  const [problem] = parseApiDocument('specs/test.yaml', text).diagnostics;
  expect(problem && describeDiagnostic(problem)).toBe(
    'specs/test.yaml:4:34 warning: The reference #/nowhere cannot be resolved: the document has nothing there. ' +
      'Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/$ref)',
  );
});
