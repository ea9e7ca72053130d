/** What the loader reports of faulty schemas: how grave it is, and where it stands. */

import { describe, test } from '@jest/globals';
import { type Case, expectReport, info, ok } from './expect-report';

const reports = (...[title, text, ...lines]: Case): void =>
  expectReport(title, info + text, ...lines);

describe('schemas', () => {
  const schema = (text: string): string => `paths: {}\ncomponents:\n  schemas:\n    A: ${text}\n`;
  test.each<Case>([
    [
      'D02 a list as type',
      schema('{type: [string, integer]}'),
      '6:8 error schema-keyword: A "type" must be one of: string, integer, number, boolean, object, array. Correct the schema. (/components/schemas/A)',
    ],
    [
      'D02 a number as exclusiveMinimum',
      schema('{type: integer, exclusiveMinimum: 5}'),
      '6:8 error schema-keyword: The keyword "exclusiveMinimum" must be true or false. Correct the schema. (/components/schemas/A)',
    ],
    ['D04 fitting', schema('{type: integer, format: int64, default: 9223372036854775807}')],
    ['D04 null where it is allowed', schema('{type: string, nullable: true, default: null}')],
    [
      'D04 another type',
      schema(`{type: integer, default: '5'}`),
      '6:33 warning default: The default does not fit its schema: it must be an integer between -9007199254740991 and 9007199254740991. Change it, or leave it out. (/components/schemas/A/default)',
    ],
    [
      'D04 beyond a limit, in a parameter',
      `paths:\n  /a:\n    get:\n      parameters:\n        - {name: p, in: query, schema: {type: integer, maximum: 5, default: 6}}\n      ${ok}\n`,
      '7:77 warning default: The default does not fit its schema: it must be at most 5. Change it, or leave it out. (/paths/~1a/get/parameters/0/schema/default)',
    ],
    [
      'D04 null where it is not allowed, deep inside',
      schema('{allOf: [{properties: {n: {items: {type: string, default: null}}}}]}'),
      '6:66 warning default: The default does not fit its schema: it must be a string. Change it, or leave it out. (/components/schemas/A/allOf/0/properties/n/items/default)',
    ],
    [
      'X19 an illegal name',
      schema(`{type: string, xml: {name: '##default'}}`),
      '6:28 warning xml-name: The xml name is no legal XML name and counts as none: "##default". Correct it, or leave it out. (/components/schemas/A/xml)',
    ],
    [
      'X19 an illegal name directly under a media type',
      `paths: {/a: {get: {responses: {'200': {description: A, content: {application/xml: {schema: {xml: {name: '##default'}}}}}}}}}\n`,
      '3:98 warning xml-name: The xml name is no legal XML name and counts as none: "##default". Correct it, or leave it out. (/paths/~1a/get/responses/200/content/application~1xml/schema/xml)',
    ],
    [
      'X13 a relative namespace',
      schema('{type: string, xml: {namespace: other/place}}'),
      '6:28 warning xml-name: The xml.namespace is no absolute URI: "other/place". Correct it, or leave it out. (/components/schemas/A/xml)',
    ],
    ['X13 a namespace with a fragment', schema(`{xml: {namespace: 'http://a.test/b#c'}}`)],
    [
      'X18 references with one name',
      `paths: {}\ncomponents:\n  schemas:\n    Address: {type: object, xml: {name: address}}\n    Order:\n      properties: {billing: &a {$ref: '#/components/schemas/Address'}, delivery: *a}\n`,
      '8:7 warning xml-name: The properties billing, delivery would share a name in XML and keep their own instead. Give them different ones. (/components/schemas/Order)',
    ],
    [
      'X18 names of parts that allOf brings together',
      `paths: {}\ncomponents:\n  schemas:\n    A: {properties: {a: {xml: {name: x}}}}\n    B:\n      allOf: [{$ref: '#/components/schemas/A'}, {properties: {x: {}}}]\n`,
      '8:7 warning xml-name: The properties a, x would share a name in XML and keep their own instead. Give them different ones. (/components/schemas/B)',
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
      '6:28 warning unknown-field: OpenAPI 3.0 knows no field `name` of this schema, and it is ignored. Remove it, or begin its name with `x-`. (/components/schemas/A/properties/xml/name)',
    ],
  ])('%s', reports);
});
