/** What the loader reports of faulty schemas: how grave it is, and where it stands. */

import { describe, test } from '@jest/globals';
import { expectProblems, ok, type ProblemCase } from './expect-problems';

describe('schemas', () => {
  const schema = (text: string): string => `paths: {}\ncomponents:\n  schemas:\n    A: ${text}\n`;
  const notAName = /name is no legal XML name and counts as none: "##default"/;
  test.each<ProblemCase>([
    [
      'D02 a list as type',
      schema('{type: [string, integer]}'),
      ['error', '/components/schemas/A', 6, 8, /^A "type" must be one of/],
    ],
    [
      'D02 a number as exclusiveMinimum',
      schema('{type: integer, exclusiveMinimum: 5}'),
      ['error', '/components/schemas/A', 6, 8, /"exclusiveMinimum" must be true or false/],
    ],
    ['D04 fitting', schema('{type: integer, format: int64, default: 9223372036854775807}')],
    ['D04 null where it is allowed', schema('{type: string, nullable: true, default: null}')],
    [
      'D04 another type',
      schema(`{type: integer, default: '5'}`),
      ['warning', '/components/schemas/A/default', 6, 33, /^The default does not fit its schema/],
    ],
    [
      'D04 beyond a limit, in a parameter',
      `paths:\n  /a:\n    get:\n      parameters:\n        - {name: p, in: query, schema: {type: integer, maximum: 5, default: 6}}\n      ${ok}\n`,
      ['warning', '/paths/~1a/get/parameters/0/schema/default', 7, 77, /it must be at most 5/],
    ],
    [
      'D04 null where it is not allowed, deep inside',
      schema('{allOf: [{properties: {n: {items: {type: string, default: null}}}}]}'),
      [
        'warning',
        '/components/schemas/A/allOf/0/properties/n/items/default',
        6,
        66,
        /^The default does not fit its schema/,
      ],
    ],
    [
      'X19 an illegal name',
      schema(`{type: string, xml: {name: '##default'}}`),
      ['warning', '/components/schemas/A/xml', 6, 28, notAName],
    ],
    [
      'X19 an illegal name directly under a media type',
      `paths: {/a: {get: {responses: {'200': {description: A, content: {application/xml: {schema: {xml: {name: '##default'}}}}}}}}}\n`,
      [
        'warning',
        '/paths/~1a/get/responses/200/content/application~1xml/schema/xml',
        3,
        98,
        notAName,
      ],
    ],
    [
      'X13 a relative namespace',
      schema('{type: string, xml: {namespace: other/place}}'),
      ['warning', '/components/schemas/A/xml', 6, 28, /namespace is no absolute URI/],
    ],
    ['X13 a namespace with a fragment', schema(`{xml: {namespace: 'http://a.test/b#c'}}`)],
    [
      'X18 references with one name',
      `paths: {}\ncomponents:\n  schemas:\n    Address: {type: object, xml: {name: address}}\n    Order:\n      properties: {billing: &a {$ref: '#/components/schemas/Address'}, delivery: *a}\n`,
      [
        'warning',
        '/components/schemas/Order',
        8,
        7,
        /^The properties billing, delivery would share/,
      ],
    ],
    [
      'X18 names of parts that allOf brings together',
      `paths: {}\ncomponents:\n  schemas:\n    A: {properties: {a: {xml: {name: x}}}}\n    B:\n      allOf: [{$ref: '#/components/schemas/A'}, {properties: {x: {}}}]\n`,
      ['warning', '/components/schemas/B', 8, 7, /^The properties a, x would share a name/],
    ],
    [
      'X18 an attribute and an element may share a name',
      schema(
        '{properties: {a: {type: string, xml: {name: x, attribute: true}}, x: {type: string}}}',
      ),
    ],
    [
      'X19 a property called xml is no XML Object',
      schema(`{properties: {xml: {name: '##x'}}}`),
      [
        'warning',
        '/components/schemas/A/properties/xml/name',
        6,
        28,
        /^OpenAPI 3.0 knows no field `name` of this schema/,
      ],
    ],
  ])('%s', expectProblems);
});
